import CauldronModel
import CauldronStore

/// Gathers the changes of an event by entity.
struct DraftChanges {
  private struct Draft {
    let entity: EntityLayout
    var inserted: [RowPointer] = []
    var updated: [RowUpdate] = []
    var deleted: [RowDeletion] = []
    /// Keeps the rows that were changed or deleted; the new ones are kept by their objects.
    var bases = RowMemory()

    init(_ entity: EntityLayout) { self.entity = entity }
  }

  /// The number of the change set, which marks its rows.
  let id: UInt64
  /// The objects that earlier events have changed, with the properties that are again as they were before.
  private(set) var setBack: [(object: ManagedObject, properties: PropertySet)] = []
  private var drafts: [Draft] = []
  private var last = 0
  /// The entity of the last draft; 0 for none.
  private var lastNumber: Int32 = 0

  init(id: UInt64) { self.id = id }

  @inline(__always)
  mutating func insert(_ object: ManagedObject, row: RowPointer) {
    if object.entityNumber != lastNumber { select(object) }
    drafts[last].inserted.append(row)
  }

  mutating func update(_ object: ManagedObject, by update: RowUpdate) {
    if object.entityNumber != lastNumber { select(object) }
    drafts[last].updated.append(update)
    drafts[last].bases.keep(update.base)
    if update.first != update.base { drafts[last].bases.keep(update.first) }
  }

  /// Notes that the event has given properties the values that they had before earlier events changed
  /// them.
  mutating func note(_ object: ManagedObject, setBack properties: PropertySet) {
    setBack.append((object, properties))
  }

  mutating func delete(_ object: ManagedObject, row: RowPointer) {
    if object.entityNumber != lastNumber { select(object) }
    drafts[last].deleted.append(RowDeletion(base: row))
    drafts[last].bases.keep(row)
  }

  /// The changes; the objects must still be there.
  func finish() -> ChangeSet? {
    guard !drafts.isEmpty else { return nil }
    return withExtendedLifetime(drafts) {
      ChangeSet(
        id: id,
        entities: drafts.map {
          EntityChanges(
            entity: $0.entity, inserted: $0.inserted, updated: $0.updated, deleted: $0.deleted)
        })
    }
  }

  private mutating func select(_ object: ManagedObject) {
    lastNumber = object.entityNumber
    if let index = drafts.firstIndex(where: { $0.entity.number == lastNumber }) {
      last = index
      return
    }
    drafts.append(Draft(object.layout))
    last = drafts.count - 1
  }
}
