import CauldronModel

// What objects of this context say against what children have brought.
extension ContextCore {
  /// What objects of this context say against a save that children have brought.
  struct HookProblem {
    /// The newest save that had a part in what is wrong.
    let unit: ObjectIdentifier
    /// All that is wrong of it.
    let error: CauldronError
    /// What the objects that say so were asked about.
    fileprivate let changes: [BroughtChange]
  }

  /// Asks each object that children have changed once for all of them.
  /// - Returns: What is wrong, the newest save first.
  func hookProblems(_ brought: [Layer], ownStays: Bool) -> [HookProblem] {
    guard coordinator.classes.anyValidates, identity.count > 0 else { return [] }
    let found = objections(broughtChanges(brought), brought, ownStays: ownStays)
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
  func hookError(
    _ former: HookProblem, _ brought: [Layer], without wentBack: Set<ObjectIdentifier>,
    ownStays: Bool
  ) -> CauldronError? {
    let changes = former.changes.compactMap { asked -> BroughtChange? in
      var change = asked
      change.parts.removeAll { wentBack.contains(brought[$0.layer].unit) }
      // An object goes with the save that has created it.
      let isThere = registeredObject(change.object.registeredID) === change.object
      return isThere && !change.parts.isEmpty ? change : nil
    }
    return objections(changes, brought, ownStays: ownStays)[former.unit]?.all.error
  }

  /// What is wrong, by the save that has brought it, with what the objects that say so were asked
  /// about.
  private func objections(
    _ changes: [BroughtChange], _ brought: [Layer], ownStays: Bool
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
  fileprivate struct BroughtChange {
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
        for (object, kind) in identity.objects(touchedBy: set) {
          let place = places[ObjectIdentifier(object)] ?? changes.count
          if place == changes.count { changes.append(BroughtChange(object: object)) }
          places[ObjectIdentifier(object)] = place
          changes[place].parts.append((number, set.changedNames(object.key), kind))
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
    let chain = withSettledKeys { coordinator.ledger.view(withoutUnsavedOf: node) }
    guard let row = try? coordinator.row(object.registeredID, object.layout, chain, node, &builder),
      row.row.entityNumber == object.entityNumber
    else { return nil }
    let standIn = withExtendedLifetime(row) {
      makeObject(object.layout, object.key, row.row, .standIn)
    }
    if let transient = object.extras?.transient { standIn.makeExtras().transient = transient }
    return standIn
  }
}

extension EntityChanges {
  /// The names of the properties that were changed of a row; nil for a new one, of which all were.
  fileprivate func changedNames(_ key: Int64) -> [String]? {
    guard case .updated(let update) = change(key) else { return nil }
    return update.changed.indices.map { entity.properties[$0].name }
  }
}
