public import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import Logging

extension Saver {
  /// Validates what a save is to hand on: the context's own changes, and what children have brought of
  /// objects that the context has.
  ///
  /// What children have brought and is refused goes back to them.
  /// - Returns: What is wrong with the context's own changes.
  func validate(_ level: inout LevelSave) throws(CauldronError) -> CauldronError? {
    level.validated = nil
    for _ in 0..<EventState.mostRounds {
      let problem = try validateOwn()
      // Nothing is handed on then.
      if level.run.step == 0, problem != nil { return problem }
      let publications = event.publications
      let isRefused = try BroughtCheck(core).validateBrought(&level, ownStays: problem != nil)
      core.publisher.publish()
      // What the hooks have changed here goes along, and what has gone may have made room.
      if !isRefused, event.publications == publications { return problem }
    }
    throw .endless(core.name)
  }

  /// Validates the context's own changes.
  /// - Returns: What is wrong with them.
  func validateOwn() throws(CauldronError) -> CauldronError? {
    let found = try runOwnHooks(core.pending.objects, asksOwners: true)
    let denials = denials()
    var problems = ValidationProblems()
    for denial in denials { problems.add(denial.objectIDs) { denial } }
    found.add(to: &problems)
    coordinator.ledger.mergeOwn(node)
    let layers = coordinator.ledger.layers(of: node)
    let own = layers.filter { $0.isUnsaved(of: node) }
    Validation.check(own, among: layers, storeNumber: coordinator.storeNumber, problems: &problems)
    for miscount in try CountCheck(core).miscounts(own, isWhole: own.count == layers.count) {
      problems.add([miscount.id]) { miscount.error }
    }
    return problems.count == denials.count ? .denied(denials) : problems.error
  }

  /// Has objects that the context has changed validate themselves, and those again that this changes:
  /// those that are deleted first, then the new ones.
  /// - Parameters:
  ///   - single: The only one to be asked; nil for all.
  ///   - asksOwners: Whether owners of changed to-many relationships are asked, too, and again where a hook
  ///     has changed anything: that may have been a reference to them.
  func runOwnHooks(
    _ objects: [ManagedObject], only single: ManagedObject? = nil, asksOwners: Bool = false
  ) throws(CauldronError) -> HookFindings {
    var found = HookFindings()
    guard coordinator.classes.anyValidates else { return found }
    let outer = event.beginRecord()
    defer { event.endRecord(outer) }
    func owners(besides objects: [ManagedObject]) -> [ManagedObject] {
      if !asksOwners { return [] }
      let known = Set(objects.map(ObjectIdentifier.init))
      return TouchedOwners(core).overriding(.validation)
        .filter { !known.contains(ObjectIdentifier($0)) }
    }
    var touched = owners(besides: objects)
    var waiting = objects + touched
    for _ in 0..<EventState.mostRounds {
      guard !waiting.isEmpty else { return found }
      for kind in [RowChange.Kind.deletion, .insertion, .update] {
        for object in waiting where object.validatedKind == kind {
          found.note(object, found: object.validationErrors(of: kind, changed: nil))
        }
      }
      core.publisher.publish()
      // Only what has really changed is asked once more; what was set to what it was keeps its error.
      waiting = event.takeRecord()
      if let single { waiting = waiting.filter { $0 === single } }
      for object in waiting { found.forget(object) }
      if waiting.isEmpty { continue }
      for owner in touched { found.forget(owner) }
      touched = owners(besides: waiting)
      waiting += touched
    }
    throw .endless(core.name)
  }

  /// The context's own save is told of what cannot be read; one that passes through goes on.
  func checkUnread(_ level: LevelSave) throws(CauldronError) {
    if core.pending.unread.isEmpty { return }
    for object in core.pending.unread { try? core.reader.readAgain(object) }
    core.publisher.publish()
    guard let error = core.pending.unread.lazy.compactMap(core.whereabouts.savingError).first else {
      return
    }
    if level.run.step == 0 { throw error }
    coordinator.logger.warning(
      "Own changes of \(core.handle?.description ?? core.name) stay unsaved: \(error)",
      metadata: SaveLog(core, level).metadata())
  }

  /// What is wrong with an object, as a save would find it.
  func problem(of object: ManagedObject) throws(CauldronError) -> CauldronError? {
    try core.hooks.checkNoHookRuns()
    core.publisher.publish()
    let found = try runOwnHooks([object], only: object)
    let id = object.registeredID
    var problems = ValidationProblems()
    for denial in denials(of: [object]) { problems.add(denial.objectIDs) { denial } }
    found.add(to: &problems)
    let layers = coordinator.ledger.layers(of: node)
    let own = layers.filter { $0.isUnsaved(of: node) }
    Validation.check(
      own, among: layers, storeNumber: coordinator.storeNumber, only: id, problems: &problems)
    let wrong = try CountCheck(core).miscounts(own, isWhole: own.count == layers.count) {
      $0.key == id.key && $0.root == object.layout.rootNumber
    }
    for miscount in wrong { problems.add([miscount.id]) { miscount.error } }
    return problems.error?.with { $0.contextName = core.name }
  }

  // MARK: Denied deletions

  /// The deletions that the context has not saved and a relationship denies: one that leads to an
  /// object which is not deleted with them.
  /// - Complexity: O(unsaved objects) where the model has such a relationship, and one statement for
  ///   each relationship of a few hundred deleted objects.
  func denials() -> [CauldronError] {
    let layouts = coordinator.managedObjectModel.layouts
    guard layouts.contains(where: { !$0.digest.denying.isEmpty }) else { return [] }
    return denials(of: core.pending.objects)
  }

  /// Those of the deletions of some objects that a relationship denies.
  func denials(of objects: [ManagedObject]) -> [CauldronError] {
    // Of what was never saved there is nothing to be denied.
    let doomed = objects.filter {
      $0.isDoomed && !$0.layout.digest.denying.isEmpty && !$0.isNewHere
    }
    for (_, family) in Dictionary(grouping: doomed, by: \.entityNumber) {
      for property in family[0].layout.digest.denying where property.kind == .toMany {
        core.walker.walk(family, through: property)
      }
    }
    return doomed.flatMap { object in
      object.layout.digest.denying.compactMap { denial(of: object, through: $0) }
    }
  }

  private func denial(of object: ManagedObject, through property: PropertyLayout) -> CauldronError?
  {
    let left = core.walker.ends(of: object, property).filter {
      remains($0, of: object, through: property)
    }
    if left.isEmpty { return nil }
    return .denied(
      object.layout, id: object.objectID, through: property.name,
      by: left.prefix(3).map(\.objectID),
      count: left.count)
  }

  /// Whether the other end of a relationship exists, and is not deleted.
  private func remains(
    _ other: ManagedObject, of object: ManagedObject, through property: PropertyLayout
  ) -> Bool {
    if other.isFault { core.reader.fire(other) }
    guard other.isAlive else { return false }
    guard property.kind == .toMany, property.join == nil,
      let inverse = property.destination?.inverse
    else { return true }
    return core.keys.reference(of: other, other.layout.properties[inverse]) == object.objectID
  }
}

extension ManagedObject {
  /// Asks what a save would ask of this object, and saves nothing: for a form that tells of mistakes
  /// while somebody fills it in.
  ///
  /// ```swift
  /// do { try item.validateForSave() } catch let error as CauldronError { show(error.details) }
  /// ```
  /// What the class validates by code of its own runs, and may change objects; then come the rules and
  /// counts that the model declares, or the delete rules of a deleted object. Nothing is asked of what
  /// the context itself has not changed. Inside of a hook it throws.
  /// - Throws: The error that a save would throw for this object alone; `validation.…`.
  public final func validateForSave() throws {
    _check()
    try core._withUnsafeGuaranteedRef { core in
      if let error = try Saver(core).problem(of: self) { throw error }
    }
  }
}

extension CauldronError {
  fileprivate static func endless(_ name: String) -> CauldronError {
    CauldronError(
      .validationFailed,
      "Cannot save \"\(name)\": validation still changes objects after"
        + " \(EventState.mostRounds) rounds.",
      hint: "Change a value while it is validated only if it differs.")
  }
}

/// What objects have found wrong with themselves.
struct HookFindings {
  private var order: [ManagedObject] = []
  private var errors: [ObjectIdentifier: [CauldronError]] = [:]

  mutating func note(_ object: ManagedObject, found: [CauldronError]) {
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
