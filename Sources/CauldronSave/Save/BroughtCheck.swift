import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore

/// Validates what children have saved into a context, before the context hands it on.
///
/// It was validated where it was made. Here it meets what other saves have brought, and the objects of this
/// context.
struct BroughtCheck {
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }

  /// Validates what children have brought: the objects that this context has by their own code, and the
  /// to-many relationships whose counts several children may have changed. What is refused goes back to
  /// where it was made, with the rest of its save: the newest that has a part in what is wrong, and then
  /// all is looked at once more.
  /// - Parameter ownStays: Whether what the context has not saved stays where it is.
  /// - Returns: Whether something was refused.
  func validateBrought(
    _ level: inout LevelSave, ownStays: Bool
  ) throws(CauldronError) -> Bool {
    var isRefused = false
    while true {
      let layers = coordinator.ledger.layers(of: node)
      let brought = layers.filter { $0.origin !== node && $0.ticket != nil }
      level.validated = coordinator.classes.anyValidates ? Set(layers.map(\.firstNumber)) : nil
      if brought.isEmpty { return isRefused }
      let objections = hookProblems(brought, ownStays: ownStays)
      if objections.isEmpty {
        let refused = try miscounted(layers, brought: brought, ownStays: ownStays)
        if refused.isEmpty || !giveBack(refused, brought: brought, in: level) { return isRefused }
      } else if !giveBack(objections, brought: brought, in: level, ownStays: ownStays) {
        return isRefused
      }
      isRefused = true
    }
  }

  /// Returns the newest save that objects say something against, and then each older one that they
  /// still say something against: what went back may have been what was wrong.
  /// - Returns: Whether there was anything that could go.
  private func giveBack(
    _ objections: [HookProblem], brought: [Layer], in level: LevelSave, ownStays: Bool
  ) -> Bool {
    var wentBack: Set<ObjectIdentifier> = []
    for objection in objections {
      let error =
        wentBack.isEmpty
        ? objection.error
        : hookError(objection, brought: brought, without: wentBack, ownStays: ownStays)
      guard let error else { continue }
      if !giveBack([objection.unit: error], brought: brought, in: level) { break }
      wentBack.insert(objection.unit)
    }
    return !wentBack.isEmpty
  }

  /// Returns saves to the contexts that made them.
  /// - Returns: Whether there was anything that could go.
  private func giveBack(
    _ refused: [ObjectIdentifier: CauldronError], brought: [Layer], in level: LevelSave
  ) -> Bool {
    // A save answers for what it finds where it begins.
    if level.run.step == 0 { level.run.carry(brought.filter { refused[$0.unit] != nil }, own: []) }
    let returned = coordinator.ledger.giveBack(node) { refused[$0.unit] != nil }
    let failures = returned.compactMap { layer in refused[layer.unit].map { (layer, $0) } }
    coordinator.announceReturns(SaveLog(core, level).logReturned(failures, in: node))
    core.catchUp.run()
    return !returned.isEmpty
  }

  /// Finds the relationships that children together have made lead to too many or too few objects, and
  /// the newest save that had a part in it.
  private func miscounted(
    _ layers: [Layer], brought: [Layer], ownStays: Bool
  ) throws(CauldronError) -> [ObjectIdentifier: CauldronError] {
    let wrong = try CountCheck(core).miscounts(
      ownStays ? brought : layers, isWhole: true, ownStays: ownStays)
    if wrong.isEmpty { return [:] }
    let tallies = brought.map { ($0, CountTally([$0.changes])) }
    var refused: [ObjectIdentifier: CauldronError] = [:]
    for miscount in wrong {
      let parts = tallies.compactMap { layer, tally in
        tally.changes[miscount.place].map { (layer, $0) }
      }
      let newest = parts.last { $1.leads(to: miscount.failure) } ?? parts.last { $1.isDoubtful }
      guard let (layer, _) = newest, refused[layer.unit] == nil else { continue }
      refused[layer.unit] = miscount.error
    }
    return refused
  }

  // MARK: The objects of this context

  /// What objects of this context say against a save that children have brought.
  private struct HookProblem {
    /// The newest save that had a part in what is wrong.
    let unit: ObjectIdentifier
    /// All that is wrong of it.
    let error: CauldronError
    /// What the objects that say so were asked about.
    let changes: [BroughtChange]
  }

  /// Asks each object that children have changed once for all of them.
  /// - Returns: What is wrong, the newest save first.
  private func hookProblems(_ brought: [Layer], ownStays: Bool) -> [HookProblem] {
    guard coordinator.classes.anyValidates, core.registry.count > 0 else { return [] }
    let found = objections(to: broughtChanges(brought), brought: brought, ownStays: ownStays)
    if found.isEmpty { return [] }
    var seen: Set<ObjectIdentifier> = []
    return brought.reversed().lazy.map(\.unit).filter { seen.insert($0).inserted }
      .compactMap { unit in
        guard let (all, changes) = found[unit], let error = all.error else { return nil }
        return HookProblem(unit: unit, error: error, changes: changes)
      }
  }

  /// Asks the objects again that have said something against a save, because other saves went back.
  /// - Returns: What is still wrong with that save.
  private func hookError(
    _ former: HookProblem, brought: [Layer], without wentBack: Set<ObjectIdentifier>,
    ownStays: Bool
  ) -> CauldronError? {
    let changes = former.changes.compactMap { asked -> BroughtChange? in
      var change = asked
      change.parts.removeAll { wentBack.contains(brought[$0.layer].unit) }
      // An object goes with the save that has created it.
      let isThere = core.keys.registeredObject(change.object.registeredID) === change.object
      return isThere && !change.parts.isEmpty ? change : nil
    }
    return objections(to: changes, brought: brought, ownStays: ownStays)[former.unit]?.all.error
  }

  /// The problems by the save that brought them, with the changes about which the objecting objects
  /// were asked.
  private func objections(
    to changes: [BroughtChange], brought: [Layer], ownStays: Bool
  ) -> [ObjectIdentifier: (all: ValidationProblems, changes: [BroughtChange])] {
    var against: [ObjectIdentifier: (all: ValidationProblems, changes: [BroughtChange])] = [:]
    for kind in [RowChange.Kind.deletion, .insertion, .update] {
      for change in changes where change.kind == kind {
        for (part, error) in found(change, ownStays: ownStays) {
          let (id, unit) = (change.object.objectID, brought[part].unit)
          against[unit, default: (ValidationProblems(), [])].all.add([id]) { error }
          if against[unit]?.changes.last?.object !== change.object {
            against[unit]?.changes.append(change)
          }
        }
      }
    }
    return against
  }

  /// What children have done to an object of this context.
  private struct BroughtChange {
    let object: ManagedObject
    /// The positions of the layers, with what each has changed; nil for all properties.
    var parts: [(layer: Int, names: [String]?, kind: RowChange.Kind)] = []

    /// The kind of change to be validated; nil for an object that was created and deleted.
    var kind: RowChange.Kind? {
      if isDeleted { return isInserted ? nil : .deletion }
      return isInserted ? .insertion : .update
    }

    var isInserted: Bool { parts.contains { $0.kind == .insertion } }
    var isDeleted: Bool { parts.last?.kind == .deletion }

    /// The properties to be looked at; nil for all.
    var names: [String]? {
      if isInserted { return nil }
      let changed = Set(parts.flatMap { $0.names ?? [] })
      return object.layout.properties.map(\.name).filter(changed.contains)
    }

    /// The newest layer that has changed a property, or else the object.
    func newest(_ property: String?) -> Int? {
      let part = parts.last { part in property.map { part.names?.contains($0) ?? true } ?? true }
      return (part ?? parts.last)?.layer
    }
  }

  private func broughtChanges(_ brought: [Layer]) -> [BroughtChange] {
    let classes = coordinator.classes
    var changes: [BroughtChange] = []
    var places: [ObjectIdentifier: Int] = [:]
    for (number, layer) in brought.enumerated() {
      for set in layer.changes.entities where classes.validates(set.entity.number) {
        for (object, kind) in core.registry.objects(touchedBy: set) where core.event.isAsked(object)
        {
          let place = places[ObjectIdentifier(object)] ?? changes.count
          if place == changes.count { changes.append(BroughtChange(object: object)) }
          places[ObjectIdentifier(object)] = place
          changes[place].parts.append((number, changedNames(of: object.key, in: set), kind))
        }
      }
    }
    return changes
  }

  /// What is wrong with a change, each problem with the layer that has brought it.
  private func found(
    _ change: BroughtChange, ownStays: Bool
  ) -> [(layer: Int, error: CauldronError)] {
    let asked = change.isDeleted ? change.object : asked(change.object, ownStays: ownStays)
    guard let object = asked, let kind = change.kind else { return [] }
    let errors = object.validationErrors(of: kind, changed: change.names)
    return errors.compactMap { error in change.newest(error.property).map { ($0, error) } }
  }

  /// The object as it is handed on: without what the context itself has changed, where that stays; nil
  /// where there is nothing to ask.
  private func asked(_ object: ManagedObject, ownStays: Bool) -> ManagedObject? {
    if !object.isUnsaved { return object }
    // As it is now it goes along, or goes.
    if !ownStays { return object.isEdited ? object : nil }
    let chain = core.keys.withSettledKeys { coordinator.ledger.view(withoutUnsavedOf: node) }
    guard
      let row = try? coordinator.row(
        object.registeredID, of: object.layout, over: chain, in: node, builder: &core.drafts.builder
      ),
      row.row.entityNumber == object.entityNumber
    else { return nil }
    let standIn = withExtendedLifetime(row) {
      core.registry.makeObject(of: object.layout, key: object.key, row: row.row, state: .standIn)
    }
    if let transient = object.extras?.transient { standIn.makeExtras().transient = transient }
    return standIn
  }

  /// The names of the properties that were changed of a row; nil for a new one, of which all were.
  private func changedNames(of key: Int64, in set: EntityChanges) -> [String]? {
    guard case .updated(let update) = set.change(key) else { return nil }
    return update.changed.indices.map { set.entity.properties[$0].name }
  }
}
