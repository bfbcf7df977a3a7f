import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore

/// What a step of an undo does, by the objects that it is about, as they are called now.
struct Restoration {
  /// An object that comes back.
  struct Arrival {
    let id: ManagedObjectID
    let entity: EntityLayout
    let row: RowPointer
  }

  /// An object that goes.
  struct Departure {
    let id: ManagedObjectID
    let entity: EntityLayout
    /// What was made of it, which it shows unless somebody has changed it since.
    let row: RowPointer
  }

  /// Properties that get other values.
  struct Edit {
    let id: ManagedObjectID
    /// What was made of the object, which it shows unless somebody has changed it since.
    let from: RowPointer
    let to: RowPointer
    let properties: PropertySet
    /// What a deletion rule has cleared, and will again.
    let nullified: PropertySet
    /// The ends of one-to-one links that lead where they led: they stay when their former partners are restored.
    var restated = PropertySet()
  }

  /// A link of a many-to-many relationship.
  struct Link {
    let row: RowPointer
    let join: EntityLayout
    /// The objects that it links, by the join's properties.
    let ends: [ManagedObjectID]
  }

  private(set) var arrivals: [Arrival] = []
  private(set) var edits: [Edit] = []
  private(set) var departures: [Departure] = []
  private(set) var linked: [Link] = []
  private(set) var moved: [Link] = []
  private(set) var unlinked: [Link] = []
  /// Keeps the rows.
  private let changes: ChangeSet

  /// - Parameter current: The ID that an object has now, given one that it had.
  init(
    _ step: UndoStep, storeNumber: Int32, _ current: (ManagedObjectID) -> ManagedObjectID
  ) {
    changes = step.changes
    for set in changes.entities {
      func id(_ key: Int64) -> ManagedObjectID {
        ManagedObjectID(key: key, entityNumber: set.entity.number, storeNumber: storeNumber)
      }
      let deleted = set.deleted.map(\.base)
      let (coming, going) = step.isReversal ? (deleted, set.inserted) : (set.inserted, deleted)
      let updates = set.updated.compactMap { update -> Edit? in
        let (from, to) = step.isReversal ? (update.row, update.base) : (update.base, update.row)
        // One that had led elsewhere before was led to what is deleted, and goes by itself.
        let nullified =
          step.isReversal
          ? PropertySet()
          : update.cleared(of: set.entity) { changes.change($0)?.kind == .deletion }
        let restated = restated(update, of: set.entity)
        let properties = update.changed.subtracting(nullified).subtracting(restated)
        // An update that changes no value needs no object, which may have gone since.
        if properties.isEmpty && nullified.isEmpty && restated.isEmpty { return nil }
        return Edit(
          id: current(id(from.key)), from: from, to: to, properties: properties,
          nullified: nullified, restated: restated)
      }
      if set.entity.isJoin {
        func link(_ row: RowPointer) -> Link {
          let ends = set.entity.properties.prefix(2).map { end in
            current(end.end(of: row, storeNumber))
          }
          return Link(row: row, join: set.entity, ends: ends)
        }
        linked += coming.map(link)
        unlinked += going.map(link)
        moved += updates.map { link($0.to) }
      } else {
        arrivals += coming.map { Arrival(id: current(id($0.key)), entity: set.entity, row: $0) }
        departures += going.map {
          Departure(id: current(id($0.key)), entity: set.entity, row: $0)
        }
        edits += updates
      }
    }
  }
}

/// The ends of one-to-one links that an update has left as they were: the other ends decide.
private func restated(_ update: RowUpdate, of entity: EntityLayout) -> PropertySet {
  let ends = update.changed.intersection(entity.digest.oneToOnes)
  if ends.isEmpty { return ends }
  return ends.subtracting(update.row.difference(from: update.base, entity))
}
