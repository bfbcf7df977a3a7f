import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronStore

/// Finds the rows that changes may have turned: the changed ones, and those that lead to a changed one,
/// however many steps away.
///
/// Where a row led before is not asked of what was seen then: it led elsewhere by a change of its own, or of
/// a link, which is among the changes. That may have been made from another row than the one below it, so
/// that all changes of the row are looked at.
struct StepKeys {
  let sets: [EntityChanges]
  /// Changes that were seen before, and are still.
  let passing: [EntityChanges]
  /// Rows of which no more is known than that they have changed.
  let rows: [(entity: EntityLayout, keys: [Int64])]
  let source: SnapshotSource

  /// It is unknown which rows a changed one has mattered to.
  struct OwnersUnknown: Error {}

  /// The rows of the query's own entity.
  /// - Throws: ``OwnersUnknown``; what reading throws.
  func keys(_ reach: QueryReach) throws -> Set<Int64> { try keys(reach, isWhole: true) }

  private func keys(_ reach: QueryReach, isWhole: Bool) throws -> Set<Int64> {
    var result = changed(reach, isWhole: isWhole)
    for branch in reach.branches {
      let below = try keys(branch.reach, isWhole: false)
      result.formUnion(try owners(below, through: branch.property, of: reach.entity))
    }
    return result
  }

  private func changed(_ reach: QueryReach, isWhole: Bool) -> Set<Int64> {
    var result: Set<Int64> = []
    for set in sets where reach.entity.includes(set.entity.number) {
      for row in set.inserted { result.insert(row.key) }
      for update in set.updated
      where isWhole || !update.brought(among: reach.properties).isEmpty {
        result.insert(update.row.key)
      }
      for deletion in set.deleted { result.insert(deletion.key) }
    }
    for (entity, keys) in rows where reach.entity.includes(entity.number) {
      result.formUnion(keys)
    }
    return result
  }

  /// The rows that a relationship leads, or led, from to one of these.
  private func owners(
    _ keys: Set<Int64>, through property: PropertyLayout, of entity: EntityLayout
  ) throws -> Set<Int64> {
    if property.kind == .toOne {
      return Set(try source.referrers(keys, by: property, of: entity).map(\.key))
    }
    guard let destination = property.destination else { return [] }
    if let join = property.join {
      // A deletion takes along links that its context could not see, and nobody tells of these.
      let isLost = sets.contains {
        destination.entity.includes($0.entity.number) && !$0.deleted.isEmpty
      }
      if isLost { throw OwnersUnknown() }
      return try linked(keys, by: join)
    }
    let inverse = destination.entity.properties[destination.inverse].index
    var result: Set<Int64> = []
    func add(_ row: RowPointer) {
      if !row.isNull(inverse) { result.insert(row.slot(inverse)) }
    }
    for set in sets where destination.entity.includes(set.entity.number) {
      set.forEachVersion(add)
    }
    walkOthers(of: destination.entity, add)
    try source.rows(Array(keys), of: destination.entity).walk(add)
    return result
  }

  /// Goes through the changed rows as other layers have made them.
  private func walkOthers(of entity: EntityLayout, _ body: (RowPointer) -> Void) {
    func walk(_ change: RowChange) {
      switch change {
      case .inserted(let row): body(row)
      case .updated(let update):
        body(update.row)
        body(update.base)
        body(update.first)
      case .deleted(let deletion): body(deletion.base)
      }
    }
    for set in sets where entity.includes(set.entity.number) {
      let others = passing.filter { $0.entity.number == set.entity.number }
      // Where the insertion of a row is dropped, other layers' changes of it are left.
      set.forEachChange { key, _, _ in
        source.forEachChange(of: key, entity: set.entity, body: walk)
        for other in others { if let change = other.change(key) { walk(change) } }
      }
    }
  }

  private func linked(_ keys: Set<Int64>, by join: PropertyLayout.Join) throws -> Set<Int64> {
    var result: Set<Int64> = []
    let far = join.entity.properties[join.far]
    for set in sets where set.entity.number == join.entity.number {
      set.forEachVersion { result.insert($0.slot(join.near)) }
    }
    if !keys.isEmpty {
      try source.referrers(keys, by: far, of: join.entity).walk {
        result.insert($0.slot(join.near))
      }
    }
    return result
  }
}
