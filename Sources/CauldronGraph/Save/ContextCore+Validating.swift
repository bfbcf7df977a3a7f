import CauldronModel

extension ContextCore {
  /// How often hooks may change objects before a save gives up.
  static let mostRounds = 100

  /// Validates what a save is to hand on: the context's own changes, and what children have brought of
  /// objects that the context has.
  ///
  /// What children have brought and is refused goes back to them.
  /// - Returns: What is wrong with the context's own changes.
  func validate(_ run: SaveRun) throws(CauldronError) -> CauldronError? {
    run.validated = nil
    for _ in 0..<Self.mostRounds {
      let problem = try validateOwn()
      // Nothing is handed on then.
      if run.step == 0, problem != nil { return problem }
      let publications = event.publications
      let isRefused = try validateBrought(run, ownStays: problem != nil)
      publish()
      // What the hooks have changed here goes along, and what has gone may have made room.
      if !isRefused, event.publications == publications { return problem }
    }
    throw .endless(name)
  }

  /// Validates the context's own changes.
  /// - Returns: What is wrong with them.
  func validateOwn() throws(CauldronError) -> CauldronError? {
    let found = try runOwnHooks(pending.objects)
    let denials = denials()
    var problems = ValidationProblems()
    for denial in denials { problems.add(denial.objectIDs) { denial } }
    found.add(to: &problems)
    coordinator.ledger.mergeOwn(node)
    let layers = coordinator.ledger.layers(of: node)
    let own = layers.filter { $0.isUnsaved(of: node) }
    Validation.check(own, among: layers, storeNumber: coordinator.storeNumber, &problems)
    for miscount in try miscounts(own, isWhole: own.count == layers.count) {
      problems.add([miscount.id]) { miscount.error }
    }
    return problems.count == denials.count ? .denied(denials) : problems.error
  }

  /// Has objects that the context has changed validate themselves, and those again that this changes:
  /// those that are deleted first, then the new ones.
  /// - Parameter single: The only one to be asked; nil for all.
  func runOwnHooks(
    _ objects: [ManagedObject], only single: ManagedObject? = nil
  ) throws(CauldronError) -> HookFindings {
    var found = HookFindings()
    guard coordinator.classes.anyValidates else { return found }
    let outer = event.beginRecord()
    defer { event.endRecord(outer) }
    var waiting = objects
    for _ in 0..<Self.mostRounds {
      guard !waiting.isEmpty else { return found }
      for kind in [RowChange.Kind.deletion, .insertion, .update] {
        for object in waiting where object.validatedKind == kind {
          found.note(object, object.validationErrors(of: kind, changed: nil))
        }
      }
      publish()
      // Only what has really changed is asked once more; what was set to what it was keeps its error.
      waiting = event.takeRecord()
      if let single { waiting = waiting.filter { $0 === single } }
      for object in waiting { found.forget(object) }
    }
    throw .endless(name)
  }
}

extension CauldronError {
  fileprivate static func endless(_ name: String) -> CauldronError {
    CauldronError(
      .validationFailed,
      "Cannot save \"\(name)\": validation still changes objects after"
        + " \(ContextCore.mostRounds) rounds.",
      hint: "Change a value while it is validated only if it differs.")
  }
}

/// What objects have found wrong with themselves.
struct HookFindings {
  private var order: [ManagedObject] = []
  private var errors: [ObjectIdentifier: [CauldronError]] = [:]

  mutating func note(_ object: ManagedObject, _ found: [CauldronError]) {
    if found.isEmpty { return }
    if errors.updateValue(found, forKey: ObjectIdentifier(object)) == nil { order.append(object) }
  }

  /// The object has changed since, and is asked once more.
  mutating func forget(_ object: ManagedObject) { errors[ObjectIdentifier(object)] = nil }

  /// Tells what is left; what is gone needs not be right.
  func add(to problems: inout ValidationProblems) {
    var left = errors
    for object in order {
      for error in left.removeValue(forKey: ObjectIdentifier(object)) ?? []
      where !object.isGone {
        problems.add([object.objectID]) { error }
      }
    }
  }
}
