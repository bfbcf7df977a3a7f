import CFaults

/// Makes one fault happen, in the VFS or in the store's hooks.
///
/// `@unchecked Sendable` because a run uses it on one thread; what other threads meet is atomic or
/// behind a lock.
final class Injector: @unchecked Sendable {
  let fault: Fault
  /// What the hooks ask; nil where the VFS fails.
  let hooks: StoreFaults?

  init(_ fault: Fault) {
    self.fault = fault
    if case .store(let method, let moment) = fault.place {
      hooks = StoreFaults(method, moment)
    } else {
      hooks = nil
    }
  }

  func arm() {
    guard case .file(let method, let code) = fault.place else {
      hooks?.arm(fault.call, lasts: fault.duration != .once)
      return
    }
    // SQLite takes what a short read of a database lacks for zeros, so that one in the midst of the
    // file would be a lie that nobody can notice; a log and a journal are checked.
    let files =
      code == .shortRead
      ? CAULDRON_FAULT_LOG.rawValue | CAULDRON_FAULT_OTHER.rawValue
      : CAULDRON_FAULT_ALL_FILES.rawValue
    cauldron_faults_arm(
      cauldron_fault(
        method: method.number, files: Int32(files), code: code.number,
        lasts: fault.duration != .once, call: Int64(fault.call)))
  }

  func disarm() {
    cauldron_faults_disarm()
    hooks?.disarm()
  }

  /// How many calls could have failed.
  var calls: Int { hooks.map(\.calls) ?? Int(cauldron_faults_calls()) }
  /// Whether one did.
  var hasInjected: Bool { (hooks.map(\.injected) ?? Int(cauldron_faults_injected())) > 0 }
}
