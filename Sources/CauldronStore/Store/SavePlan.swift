package import CauldronModel

/// What a root save writes: layers in arrival order, each a sorted list of steps.
///
/// A plan is a pure value, made without I/O.
package struct SavePlan: Sendable {
  package let layers: [Layer]
  /// Layers with equal units succeed or fail together.
  let units: [ObjectIdentifier]
  /// Whether the versions of objects grow whose to-many relationships change.
  let touchesOwners: Bool

  /// The steps of one change set; they succeed or fail together.
  package struct Layer: Sendable {
    package let changeSet: ChangeSet
    package let steps: [SaveStep]
    /// What the layer refers to outside itself.
    let references: Set<ManagedObjectID>
    let storeNumber: Int32
    /// Why a store must not write the layer; nil for all that the contexts let through.
    package let defect: CauldronError?

    /// The objects and links whose failure in an earlier layer makes this one fail, too: it is written after
    /// that one, or without it.
    /// - Complexity: O(rows); asked for only where a layer has failed.
    package var dependencies: Set<ManagedObjectID> {
      var ids = references
      for changes in changeSet.entities {
        // A link can be made by one layer after another one has taken it away.
        let keys = changes.entity.isJoin ? changes.keys : changes.changedKeys
        ids.formUnion(keys.map { id($0, changes.entity) })
      }
      return ids
    }

    /// Why the layer fails that shares objects or links with one that has failed.
    package func failure(
      sharing ids: some Collection<ManagedObjectID>, dueTo error: CauldronError
    ) -> CauldronError {
      let links = changeSet.entities.filter(\.entity.isJoin).map(\.entity.number)
      let objects = ids.filter { !links.contains($0.entityNumber) }
      return .dependent(on: error, objects.sorted { $0.key < $1.key })
    }

    private func id(_ key: Int64, _ entity: EntityLayout) -> ManagedObjectID {
      ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: storeNumber)
    }
  }

  /// The layers that were written although another one of their unit failed, and that one's error.
  package func torn(_ failures: [CauldronError?]) -> [Int: CauldronError] {
    var causes: [ObjectIdentifier: CauldronError] = [:]
    for (unit, failure) in zip(units, failures) {
      if let failure, causes[unit] == nil { causes[unit] = failure }
    }
    guard !causes.isEmpty else { return [:] }
    var torn: [Int: CauldronError] = [:]
    for index in failures.indices where failures[index] == nil {
      torn[index] = causes[units[index]].map { .together(with: $0) }
    }
    return torn
  }

  package var rowCount: Int { layers.reduce(0) { $0 + $1.changeSet.count } }
}

/// One step of a save.
package enum SaveStep: Sendable {
  /// Deletes rows whose version is still the one that was read.
  case delete(EntityLayout, [RowDeletion])
  /// Writes the changed columns of rows whose version is still the one that was read.
  case update(EntityLayout, [RowUpdate])
  /// Writes new rows.
  case insert(EntityLayout, [RowPointer])
  /// Fails where a row of the entity's table is missing; names the property that refers to it.
  case requireTargets(EntityLayout, keys: [Int64], from: EntityLayout, PropertyLayout)
  /// Takes links out of a join table whose ends are deleted, or are found to be missing: a link to
  /// an object that is deleted elsewhere is no conflict, whichever came first.
  case unlink(join: EntityLayout, PropertyLayout, keys: [Int64], onlyMissing: Bool)
  /// Fails where a row still refers to one of the deleted keys by a property.
  case requireUnreferenced(EntityLayout, PropertyLayout, keys: [Int64])
}

extension SavePlan {
  /// Plans the writing of change sets, oldest first.
  /// - Complexity: O(changed rows); inserted rows are only looked at where they refer to others.
  /// - Parameters:
  ///   - units: What tells which sets belong together; nil where each is one of its own.
  ///   - touchesOwners: Whether the versions of objects grow whose to-many relationships change.
  package init(
    _ changeSets: [ChangeSet], units: [ObjectIdentifier]? = nil, storeNumber: Int32,
    touchesOwners: Bool = true
  ) {
    self.touchesOwners = touchesOwners
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

/// The objects outside a change set that it refers to, and the steps that check references.
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
        addTargets(of: property, in: changes, changeSet: changeSet)
      }
      if !changes.deleted.isEmpty { addReferrers(to: changes) }
    }
  }

  private mutating func depend(on key: Int64, in entity: EntityLayout) {
    outside.insert(
      ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: storeNumber))
  }

  private mutating func addTargets(
    of property: PropertyLayout, in changes: EntityChanges, changeSet: ChangeSet
  ) {
    guard let destination = property.destination?.entity else { return }
    var keys: Set<Int64> = []
    changes.forEachRow(setting: property.index) { keys.insert($0.slot(property.index)) }
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
    for key in outside { for entity in family { depend(on: key, in: entity) } }
    let sorted = outside.sorted()
    if sorted[0] <= 0 {
      provisionalTarget = .provisional(
        ManagedObjectID(
          key: sorted[0], entityNumber: destination.number, storeNumber: storeNumber),
        what: "a reference by \(changes.entity.name).\(property.name) leads to", of: destination)
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
        what: "the save writes", of: changes.entity)
    }
    return nil
  }
}

extension CauldronError {
  fileprivate static func provisional(
    _ id: ManagedObjectID, what: String, of entity: EntityLayout
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

extension SavePlan {
  /// Whether the plan changes to-many relationships that must not lead to any number of objects.
  /// - Complexity: O(entities).
  package var isCounted: Bool {
    layers.contains { layer in
      layer.changeSet.entities.contains {
        !$0.entity.digest.counted.isEmpty || !$0.entity.digest.countedByOthers.isEmpty
      }
    }
  }

  /// Finds the relationships that lead to too few or too many objects once the plan is written,
  /// foreign writes included, and the newest unit with a part in it.
  ///
  /// - Parameters:
  ///   - failures: Why layers were not written.
  ///   - counts: How many rows of an entity refer to each of some objects by a property; those to which
  ///     none refers may be left out.
  ///   - owner: The entity of an object, given one at or above it; nil where there is no object.
  /// - Returns: Why layers must not stay written.
  package func miscounts(
    _ failures: [CauldronError?],
    counts: (EntityLayout, PropertyLayout, [Int64]) throws -> [Int64: Int],
    owner: (EntityLayout, Int64) throws -> EntityLayout?
  ) rethrows -> [Int: CauldronError] {
    guard isCounted else { return [:] }
    let written = layers.indices.filter { failures[$0] == nil }
    let doubtful = CountTally(written.map { layers[$0].changeSet }).doubtful
    if doubtful.isEmpty { return [:] }
    var wrong: [(place: CountTally.Place, error: CauldronError, failure: CountFailure)] = []
    for (doubt, count) in zip(doubtful, try Self.numbers(of: doubtful, by: counts)) {
      guard let failure = doubt.change.limit.failure(count),
        let entity = try owner(doubt.change.owner, doubt.place.key)
      else { continue }
      wrong.append((doubt.place, error(for: failure, at: doubt.place, of: entity), failure))
    }
    return blamed(for: wrong, among: written)
  }

  private static func numbers(
    of doubtful: [(place: CountTally.Place, change: CountTally.Change)],
    by counts: (EntityLayout, PropertyLayout, [Int64]) throws -> [Int64: Int]
  ) rethrows -> [Int] {
    var groups: [Referrer: [Int64]] = [:]
    for (place, change) in doubtful {
      if let referrer = Referrer(change) { groups[referrer, default: []].append(place.key) }
    }
    let found = try Dictionary(
      uniqueKeysWithValues: groups.map { referrer, keys in
        (referrer, try counts(referrer.entity, referrer.property, keys))
      })
    return doubtful.map { place, change in
      guard let referrer = Referrer(change) else { return change.net }
      return found[referrer]?[place.key] ?? 0
    }
  }

  /// By what a store has to count; nil where the changes themselves tell the number.
  private struct Referrer: Hashable {
    let entity: EntityLayout
    let property: PropertyLayout

    init?(_ change: CountTally.Change) {
      guard let (entity, property) = change.referrer else { return nil }
      // To what was not there nobody else refers, but a link may have been dropped.
      if change.isInserted, !change.isShared, !entity.isJoin { return nil }
      (self.entity, self.property) = (entity, property)
    }

    static func == (a: Referrer, b: Referrer) -> Bool {
      a.entity === b.entity && a.property.index == b.property.index
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(entity.number)
      hasher.combine(property.index)
    }
  }

  /// All layers of the newest units that had a part in it, with what is wrong.
  private func blamed(
    for wrong: [(place: CountTally.Place, error: CauldronError, failure: CountFailure)],
    among written: [Int]
  ) -> [Int: CauldronError] {
    if wrong.isEmpty { return [:] }
    let tallies = written.map { ($0, CountTally([layers[$0].changeSet])) }
    var result: [Int: CauldronError] = [:]
    for (place, error, failure) in wrong {
      let parts = tallies.compactMap { index, tally in tally.changes[place].map { (index, $0) } }
      let newest = parts.last { $1.leads(to: failure) } ?? parts.last { $1.isDoubtful }
      guard let newest else { continue }
      for index in written where units[index] == units[newest.0] && result[index] == nil {
        result[index] = error
      }
    }
    return result
  }

  private func error(
    for failure: CountFailure, at place: CountTally.Place, of entity: EntityLayout
  ) -> CauldronError {
    let id = ManagedObjectID(
      key: place.key, entityNumber: entity.number, storeNumber: layers[0].storeNumber)
    return .miscounted(failure, id, entity, entity.properties[place.relationship])
  }
}

// A row's version says that something of its object has changed, its to-many relationships included,
// although no column of the row tells of these. So whoever reads the file can rely on versions.
extension SavePlan {
  /// The rows that written layers do not write, and whose to-many relationships they change: those of
  /// new owners and of former ones, by root entity, with keys in ascending order.
  ///
  /// Nothing is kept of that before: it is read from the references and links in the layers, so that
  /// what ends as it began touches nothing.
  /// - Parameter failures: Why layers were not written.
  /// - Complexity: O(changed references), and O(changed rows) where many layers write owners.
  package func touchedOwners(
    _ failures: [CauldronError?]
  ) -> [(entity: EntityLayout, keys: [Int64])] {
    guard touchesOwners else { return [] }
    let written = layers.indices.filter { failures[$0] == nil }
    let sets = written.flatMap { layers[$0].changeSet.entities }
    var owners: [Int32: (entity: EntityLayout, keys: [Int64])] = [:]
    for set in sets {
      for reference in set.entity.digest.toOnes {
        guard let root = reference.ownersRoot else { continue }
        let keys = set.owners(by: reference)
        if !keys.isEmpty { owners[root.number, default: (root, [])].keys += keys }
      }
    }
    return owners.values.sorted { $0.entity.number < $1.entity.number }
      .map { ($0.entity, Self.unwritten($0.keys, of: $0.entity, sets)) }
      .filter { !$0.1.isEmpty }
  }

  /// The keys, each once and in ascending order, without those of rows that change sets write.
  private static func unwritten(
    _ keys: [Int64], of root: EntityLayout, _ sets: [EntityChanges]
  ) -> [Int64] {
    let written = sets.filter { !$0.entity.isJoin && $0.entity.root === root }
    let own: Set<Int64>? = written.count < 8 ? nil : Set(written.lazy.flatMap(\.keys))
    var result: [Int64] = []
    for key in keys.sorted() where key != result.last {
      let isWritten = own?.contains(key) ?? written.contains { $0.change(key) != nil }
      if !isWritten { result.append(key) }
    }
    return result
  }
}
