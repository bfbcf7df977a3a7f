import CauldronModel

extension ContextCore {
  /// Validates what a save is to hand on: the context's own changes, and what children have brought of
  /// objects that the context has.
  ///
  /// What children have brought and is refused goes back to them.
  /// - Returns: What is wrong with the context's own changes.
  func validate(_ run: SaveRun) throws(CauldronError) -> CauldronError? {
    let problem = try validateOwn()
    // Nothing is handed on then.
    if run.step == 0, problem != nil { return problem }
    try validateBrought(run)
    // What the hooks have changed here goes along.
    return publish() == nil ? problem : try validateOwn()
  }

  /// Validates the context's own changes.
  /// - Returns: What is wrong with them.
  func validateOwn() throws(CauldronError) -> CauldronError? {
    let found = try runOwnHooks()
    let denials = denials()
    var problems = ValidationProblems()
    for denial in denials { problems.add(denial.objectIDs) { denial } }
    found.add(to: &problems)
    coordinator.ledger.mergeOwn(node)
    let layers = coordinator.ledger.layers(of: node)
    let own = layers.filter { $0.isUnsaved(of: node) }
    Validation.check(own, storeNumber: coordinator.storeNumber, &problems)
    for miscount in try miscounts(own, isWhole: own.count == layers.count) {
      problems.add([miscount.id]) { miscount.error }
    }
    return problems.count == denials.count ? .denied(denials) : problems.error
  }

  /// Has the objects that the context has changed validate themselves, and again where that changed
  /// something: those that are deleted first, then the new ones.
  private func runOwnHooks() throws(CauldronError) -> HookFindings {
    var found = HookFindings()
    guard coordinator.classes.anyValidates else { return found }
    var waiting = pending.objects
    for _ in 0..<100 {
      guard !waiting.isEmpty else { return found }
      for state in [ObjectState.deleted, .inserted, .updated] {
        for object in waiting where object.phase == state {
          found.note(object, object.validationErrors(state, changed: nil))
        }
      }
      let touched = event.objects
      let changes = publish()
      for object in touched { found.forget(object) }
      waiting = touched.filter { changes?.change($0.registeredID) != nil }
    }
    throw CauldronError(
      .validationFailed,
      "Cannot save \"\(name)\": validation still changes objects after 100 rounds.",
      hint: "Change a value while it is validated only if it differs.")
  }
}

/// What objects have found wrong with themselves.
private struct HookFindings {
  private var order: [ManagedObject] = []
  private var errors: [ObjectIdentifier: [CauldronError]] = [:]

  mutating func note(_ object: ManagedObject, _ found: [CauldronError]) {
    if found.isEmpty { return }
    if errors.updateValue(found, forKey: ObjectIdentifier(object)) == nil { order.append(object) }
  }

  /// The object has changed since, and is asked once more, or is gone.
  mutating func forget(_ object: ManagedObject) { errors[ObjectIdentifier(object)] = nil }

  func add(to problems: inout ValidationProblems) {
    var left = errors
    for object in order {
      for error in left.removeValue(forKey: ObjectIdentifier(object)) ?? [] {
        problems.add([object.objectID]) { error }
      }
    }
  }
}

extension ManagedObject {
  /// What is to be validated: the deletion, the insertion or the update; empty for what is clean or
  /// gone, or where the class has nothing to say.
  fileprivate var phase: ObjectState {
    if state.contains(.gone) || !validates { return [] }
    return [.deleted, .inserted, .updated].first { state.contains($0) } ?? []
  }

  /// Whether the class validates its objects by code of its own.
  var validates: Bool {
    core._withUnsafeGuaranteedRef { core in
      core.place.unretained.classes._withUnsafeGuaranteedRef { $0.validates(entityNumber) }
    }
  }

  /// What the object's own code says against it.
  /// - Parameter changed: The properties to be looked at; nil for those that the context has changed.
  func validationErrors(_ phase: ObjectState, changed: [String]?) -> [CauldronError] {
    var errors: [CauldronError] = []
    func run(_ hook: String, _ property: String?, _ body: () throws -> Void) {
      do { try body() } catch { errors.append(.refused(error, by: hook, self, property)) }
    }
    if phase == .deleted {
      run("validateForDelete()", nil, validateForDelete)
      return errors
    }
    let isInserted = phase == .inserted
    for name in changed ?? (isInserted ? validatedProperties : changedProperties) {
      run("validate(_:for:)", name) { try validate(value(forKey: name), for: name) }
    }
    if isInserted {
      run("validateForInsert()", nil, validateForInsert)
    } else {
      run("validateForUpdate()", nil, validateForUpdate)
    }
    return errors
  }

  /// All but the to-many relationships, which would have to be read.
  private var validatedProperties: [String] {
    layout.properties.filter { $0.kind != .toMany }.map(\.name)
  }
}
