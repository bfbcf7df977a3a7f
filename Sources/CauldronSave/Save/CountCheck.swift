import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronStore

/// Counts the ends of to-many relationships that a save may have left too few or too many of.
struct CountCheck {
  /// A to-many relationship that leads to too few or too many objects.
  struct Miscount {
    let id: ManagedObjectID
    let place: CountTally.Place
    let failure: CountFailure
    let error: CauldronError
  }

  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }

  /// Counts the to-many relationships that layers have changed and that must not lead to any number.
  ///
  /// What other contexts do meanwhile is counted by the store when it writes.
  /// - Parameters:
  ///   - isWhole: Whether nothing else waits in the context: then the layers alone tell about what they
  ///     insert.
  ///   - ownStays: Whether what the context has not saved is left out, because it stays where it is.
  ///   - isAsked: Which relationships are looked at.
  /// - Complexity: One statement for each relationship of an object that was there before, and of which
  ///   the layers may have made the number wrong.
  func miscounts(
    _ layers: [Layer], isWhole: Bool, ownStays: Bool = false,
    where isAsked: (CountTally.Place) -> Bool = { _ in true }
  ) throws(CauldronError) -> [Miscount] {
    let doubtful = CountTally(layers.lazy.map(\.changes)).doubtful.filter { isAsked($0.place) }
    if doubtful.isEmpty { return [] }
    var result: [Miscount] = []
    do {
      let counts = try counts(doubtful, isWhole: isWhole, ownStays: ownStays)
      for (doubt, count) in zip(doubtful, counts) {
        guard let failure = doubt.change.limit.failure(count),
          let owner = try owner(at: doubt.place, of: doubt.change)
        else { continue }
        result.append(miscount(failure, at: doubt.place, of: owner))
      }
    } catch {
      throw CauldronError.wrap(error)
    }
    return result
  }

  private func counts(
    _ doubtful: [(place: CountTally.Place, change: CountTally.Change)], isWhole: Bool,
    ownStays: Bool
  ) throws -> [Int] {
    /// Whether the layers alone tell the number.
    func isTold(_ change: CountTally.Change) -> Bool {
      isWhole && change.isInserted && !change.isShared || change.referrer == nil
    }
    if doubtful.allSatisfy({ isTold($0.change) }) { return doubtful.map(\.change.net) }
    return try core.keys.withSettledKeys {
      try coordinator.read(for: node) { snapshot in
        let seen = ownStays ? snapshot.without { $0.isUnsaved(of: node) } : snapshot
        return try doubtful.map { place, change in
          if isTold(change) { return change.net }
          return try count(at: place, of: change, in: seen)
        }
      }.0
    }
  }

  private func count(
    at place: CountTally.Place, of change: CountTally.Change, in snapshot: Snapshot
  ) throws -> Int {
    guard let (entity, property) = change.referrer else { return change.net }
    var query = StoreQuery(entity: entity)
    query.predicate = .refersTo(property, [place.key])
    return try snapshot.count(query, builder: &core.drafts.builder)
  }

  /// The entity of the object that has the relationship; nil where it does not exist.
  private func owner(
    at place: CountTally.Place, of change: CountTally.Change
  ) throws -> (id: ManagedObjectID, entity: EntityLayout)? {
    let id = coordinator.id(place.key, of: change.owner)
    if change.isInserted { return (id, change.owner) }
    guard
      let row = try coordinator.row(id, of: change.owner, in: node, builder: &core.drafts.builder)?
        .row
    else {
      return nil
    }
    let entity = core.place.layouts[Int(row.entityNumber) - 1].entity
    return (coordinator.id(place.key, of: entity), entity)
  }

  private func miscount(
    _ failure: CountFailure, at place: CountTally.Place,
    of owner: (id: ManagedObjectID, entity: EntityLayout)
  ) -> Miscount {
    let property = owner.entity.properties[place.relationship]
    return Miscount(
      id: owner.id, place: place, failure: failure,
      error: .miscounted(failure, owner.id, owner.entity, property))
  }
}
