import CauldronModel

extension StoreOpener {
  /// Opens the file; where it cannot be used and the options say so, it is moved aside, and a new store is
  /// made in its place.
  func openOrRecreate() throws -> Opened {
    let identity = file.identity
    do {
      return try open()
    } catch let error as CauldronError where isUseless(error) {
      // Who copies a store to its place may pause between two pieces of it.
      guard error.code.saysDamaged, file.waitUntilQuiet() else {
        return try recreate(identity, error)
      }
    }
    do {
      return try open()
    } catch let error as CauldronError where isUseless(error) {
      return try recreate(identity, error)
    }
  }

  private func isUseless(_ error: CauldronError) -> Bool {
    options.recreates && !options.readOnly && error.code.saysUseless
  }

  private func recreate(_ identity: StoreFile.Identity?, _ error: CauldronError) throws -> Opened {
    // Another process may have been quicker.
    if file.identity == identity {
      let place = try file.setAside()
      options.didSetAside?(place, error)
    }
    return try open()
  }
}

extension CauldronError.Code {
  /// Whether what was read makes no sense, which it may do later.
  fileprivate var saysDamaged: Bool { [.storeNotADatabase, .storeCorrupt].contains(self) }

  /// Whether the store, such as it is, can never be opened with the model: neither now nor later.
  fileprivate var saysUseless: Bool {
    switch self {
    case .storeNotADatabase, .storeCorrupt, .storeIncompatibleModel: true
    case .migrationWouldDiscard, .migrationCannotInfer, .migrationNoSource, .migrationMissingValue,
      .migrationNotUnique, .migrationOutOfRange:
      true
    default: false
    }
  }
}
