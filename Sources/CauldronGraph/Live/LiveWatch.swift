import CauldronModel
import CauldronQuery
import CauldronStore

/// Which changes can matter to what a query answers.
struct LiveWatch: Sendable {
  /// The entity of the query's own rows.
  let entity: EntityLayout
  /// Whether no other rows have to be read to look at one.
  let isLocal: Bool
  /// Which entities matter, by number.
  private let watched: [Bool]

  init(_ reach: QueryReach) {
    entity = reach.entity
    isLocal = reach.branches.isEmpty
    let numbers = reach.entityNumbers
    watched = (0...(numbers.max() ?? 0)).map { numbers.contains($0) }
  }

  /// Whether a change to rows of an entity can matter.
  @inline(__always)
  func watches(_ entity: EntityLayout) -> Bool {
    let number = Int(entity.number)
    return number < watched.count && watched[number]
  }

  /// Whether something may have changed.
  func isConcerned(by content: ChangeJournal.Content) -> Bool {
    switch content {
    case .changes(let changes), .reordered(let changes):
      changes.entities.contains { watches($0.entity) }
    case .rows(let entity, _): watches(entity)
    case .everything, .reset: true
    }
  }
}
