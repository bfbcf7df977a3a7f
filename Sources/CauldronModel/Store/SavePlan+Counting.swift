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

  /// Finds the relationships that lead to too few or too many objects once the plan is written, whoever
  /// else has written before, and the newest unit that had a part in it.
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
    for (doubt, count) in zip(doubtful, try Self.numbers(doubtful, counts)) {
      guard let failure = doubt.change.limit.failure(count),
        let entity = try owner(doubt.change.owner, doubt.place.key)
      else { continue }
      wrong.append((doubt.place, error(failure, doubt.place, entity), failure))
    }
    return blamed(wrong, written)
  }

  private static func numbers(
    _ doubtful: [(place: CountTally.Place, change: CountTally.Change)],
    _ counts: (EntityLayout, PropertyLayout, [Int64]) throws -> [Int64: Int]
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
    _ wrong: [(place: CountTally.Place, error: CauldronError, failure: CountFailure)],
    _ written: [Int]
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
    _ failure: CountFailure, _ place: CountTally.Place, _ entity: EntityLayout
  ) -> CauldronError {
    let id = ManagedObjectID(
      key: place.key, entityNumber: entity.number, storeNumber: layers[0].storeNumber)
    return .miscounted(failure, id, entity, entity.properties[place.relationship])
  }
}
