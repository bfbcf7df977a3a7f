extension SavePlan {
  /// Plans the writing of change sets, oldest first.
  /// - Complexity: O(changed rows); inserted rows are only looked at where they refer to others.
  /// - Parameter units: What tells which sets belong together; nil where each is one of its own.
  package init(
    _ changeSets: [ChangeSet], units: [ObjectIdentifier]? = nil, storeNumber: Int32
  ) {
    layers = changeSets.map { Layer($0, storeNumber: storeNumber) }
    self.units = units ?? changeSets.map { ObjectIdentifier($0) }
  }
}

extension SavePlan.Layer {
  init(_ changeSet: ChangeSet, storeNumber: Int32) {
    self.changeSet = changeSet
    self.storeNumber = storeNumber
    var steps: [SaveStep] = []
    // Deletions come first and insertions last, so that a unique value can move to a new row.
    for changes in changeSet.entities where !changes.deleted.isEmpty {
      steps.append(.delete(changes.entity, changes.deleted))
    }
    for changes in changeSet.entities where !changes.updated.isEmpty {
      steps.append(.update(changes.entity, changes.updated))
    }
    for changes in changeSet.entities where !changes.inserted.isEmpty {
      steps.append(.insert(changes.entity, changes.inserted))
    }
    let references = References(changeSet, storeNumber: storeNumber)
    steps += references.steps
    self.steps = steps
    self.references = references.outside
    defect = changeSet.provisionalRow(storeNumber) ?? references.provisionalTarget
  }
}

/// What a change set refers to outside itself, and what must not refer to what it deletes.
private struct References {
  var steps: [SaveStep] = []
  var outside: Set<ManagedObjectID> = []
  /// A reference to an object that has no key of the store's.
  var provisionalTarget: CauldronError?
  private let storeNumber: Int32

  init(_ changeSet: ChangeSet, storeNumber: Int32) {
    self.storeNumber = storeNumber
    for changes in changeSet.entities {
      for property in changes.entity.digest.toOnes {
        addTargets(of: property, changes, changeSet)
      }
      if !changes.deleted.isEmpty { addReferrers(to: changes) }
    }
  }

  private mutating func depend(_ key: Int64, _ entity: EntityLayout) {
    outside.insert(
      ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: storeNumber))
  }

  private mutating func addTargets(
    of property: PropertyLayout, _ changes: EntityChanges, _ changeSet: ChangeSet
  ) {
    guard let destination = property.destination?.entity else { return }
    var keys: Set<Int64> = []
    for row in changes.inserted where !row.isNull(property.index) {
      keys.insert(row.slot(property.index))
    }
    for update in changes.updated
    where update.changed.contains(property.index) && !update.row.isNull(property.index) {
      keys.insert(update.row.slot(property.index))
    }
    let family = destination.family.map(\.entity)
    let outside = keys.filter { key in
      !family.contains { entity in
        if case .inserted = changeSet.changes(to: entity.number)?.change(key) {
          true
        } else {
          false
        }
      }
    }
    guard !outside.isEmpty else { return }
    for key in outside { for entity in family { depend(key, entity) } }
    let sorted = outside.sorted()
    if sorted[0] <= 0 {
      provisionalTarget = .provisional(
        ManagedObjectID(
          key: sorted[0], entityNumber: destination.number, storeNumber: storeNumber),
        "a reference by \(changes.entity.name).\(property.name) leads to", destination)
    }
    // What may be left behind by a deletion may lead nowhere.
    guard changes.entity.isJoin || property.ruleOfTarget != .noAction else { return }
    steps.append(
      changes.entity.isJoin
        ? .unlink(join: changes.entity, property, keys: sorted, onlyMissing: true)
        : .requireTargets(destination, keys: sorted, from: changes.entity, property))
  }

  private mutating func addReferrers(to changes: EntityChanges) {
    for property in changes.entity.digest.relationships {
      if let join = property.join {
        steps.append(
          .unlink(
            join: join.entity, join.entity.properties[join.near],
            keys: changes.deleted.map(\.key), onlyMissing: false))
      }
      guard property.deleteRule != .noAction, let destination = property.destination,
        destination.entity.properties[destination.inverse].kind == .toOne
      else { continue }
      let inverse = destination.entity.properties[destination.inverse]
      steps.append(
        .requireUnreferenced(destination.entity, inverse, keys: changes.deleted.map(\.key)))
    }
  }
}

extension ChangeSet {
  /// The defect of a row whose key is none of the store's.
  ///
  /// The contexts exchange such keys before they write; this is the last defence, because a row
  /// that is written under one can never be told from another process's.
  /// - Complexity: O(changed and deleted rows); what is known of inserted ones is asked.
  fileprivate func provisionalRow(_ storeNumber: Int32) -> CauldronError? {
    for changes in entities {
      let least = min(
        changes.insertedRows.leastKey, changes.updated.lazy.map(\.row.key).min() ?? .max,
        changes.deleted.lazy.map(\.key).min() ?? .max)
      guard least <= 0 else { continue }
      return .provisional(
        ManagedObjectID(
          key: least, entityNumber: changes.entity.number, storeNumber: storeNumber),
        "the save writes", changes.entity)
    }
    return nil
  }
}

extension CauldronError {
  fileprivate static func provisional(
    _ id: ManagedObjectID, _ what: String, _ entity: EntityLayout
  ) -> CauldronError {
    CauldronError(
      .saveProvisionalKey,
      "Cannot save: \(what) \(entity.name) with a key that is only provisional.",
      hint: "Save again."
    ).with {
      $0.entity = entity.name
      $0.objectIDs = [id]
    }
  }
}
