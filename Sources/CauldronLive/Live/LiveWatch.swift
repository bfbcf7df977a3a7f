import CauldronLedger
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
  /// The entities whose rows lead to the query's own as to their owners, with the references that do, by number.
  private let members: [Int32: [PropertyLayout]]

  /// - Parameter tellsOwners: Whether an owner that is touched is news, although its row stays the same.
  init(_ reach: QueryReach, tellsOwners: Bool = false) {
    entity = reach.entity
    isLocal = reach.branches.isEmpty
    let numbers = reach.entityNumbers
    watched = (0...(numbers.max() ?? 0)).map { numbers.contains($0) }
    members = tellsOwners ? entity.membersOfFamily : [:]
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
      changes.entities.contains { watches($0.entity) || hasOwners($0.entity) }
    case .rows(let entity, _): watches(entity)
    case .everything, .reset: true
    }
  }

  /// Whether a change to rows of an entity can touch one of the query's own objects.
  func hasOwners(_ entity: EntityLayout) -> Bool { members[entity.number] != nil }

  /// The keys of the owners that changes touch.
  /// - Complexity: O(changed rows).
  func owners(in sets: [EntityChanges]) -> Set<Int64> {
    var result: Set<Int64> = []
    for set in sets {
      for reference in members[set.entity.number, default: []] {
        result.formUnion(set.owners(by: reference))
      }
    }
    return result
  }
}

extension EntityLayout {
  /// The references that make up the to-many relationships of the entity and its subentities, by the numbers
  /// of the entities that have them: those of members, and of links.
  fileprivate var membersOfFamily: [Int32: [PropertyLayout]] {
    var result: [Int32: [PropertyLayout]] = [:]
    func add(_ members: EntityLayout, at index: Int) {
      for member in members.family.map(\.entity) {
        let isKnown = result[member.number, default: []].contains { $0.index == index }
        if !isKnown { result[member.number, default: []].append(member.properties[index]) }
      }
    }
    for relationship in family.flatMap({ $0.entity.digest.relationships })
    where relationship.kind == .toMany {
      if let join = relationship.join {
        add(join.entity, at: join.near)
      } else if let destination = relationship.destination {
        add(destination.entity, at: destination.inverse)
      }
    }
    return result
  }
}
