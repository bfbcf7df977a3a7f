/// The changes of one event, or of several merged ones: immutable, and passed by reference.
package final class ChangeSet: Sendable {
  /// The set's number in its coordinator; a set is applied at most once.
  package let id: UInt64
  /// The changes by concrete entity, in the order of entity numbers.
  package let entities: [EntityChanges]
  /// The numbers of the sets that this one was made from lie here; some others may, too.
  package let makers: ClosedRange<UInt64>

  /// - Parameter sources: The sets that this one is made from.
  package init(id: UInt64, entities: [EntityChanges], from sources: [ChangeSet] = []) {
    self.id = id
    makers = sources.reduce(id...id) {
      min($0.lowerBound, $1.makers.lowerBound)...max($0.upperBound, $1.makers.upperBound)
    }
    self.entities = entities.sorted { $0.entity.number < $1.entity.number }
  }

  /// The number of rows it touches.
  package var count: Int { entities.reduce(0) { $0 + $1.count } }
  package var insertedCount: Int { entities.reduce(0) { $0 + $1.objects($1.inserted.count) } }
  package var updatedCount: Int { entities.reduce(0) { $0 + $1.objects($1.updated.count) } }
  package var deletedCount: Int { entities.reduce(0) { $0 + $1.objects($1.deleted.count) } }
  /// The number of links that it makes, moves and takes away.
  package var linkCount: Int { entities.reduce(0) { $0 + ($1.entity.isJoin ? $1.count : 0) } }

  /// The links that it changes.
  package var joins: some Sequence<EntityChanges> { entities.lazy.filter(\.entity.isJoin) }

  /// The changes to rows of one concrete entity.
  package func changes(to entityNumber: Int32) -> EntityChanges? {
    entities.first { $0.entity.number == entityNumber }
  }

  /// What happens to the object with an ID.
  package func change(_ id: ManagedObjectID) -> RowChange? {
    changes(to: id.entityNumber)?.change(id.key)
  }
}

extension EntityChanges {
  /// A number of rows, if they are those of objects, and not links.
  fileprivate func objects(_ count: Int) -> Int { entity.isJoin ? 0 : count }
}
