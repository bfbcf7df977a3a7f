import CauldronModel
import CauldronQuery
import CauldronStore

extension CauldronError {
  /// Whether the store has refused a unique value that another row has, of which a policy may decide.
  var mayBecomeOther: Bool { code == .saveConstraint && objectIDs.count == 2 && !isDependent }
}

extension PersistentStoreCoordinator {
  /// The store's rows that have unique values which layers give to others; none that cannot be read.
  /// - Complexity: One statement for each unique key and each few hundred rows.
  func readTwins(of layers: [Layer]) -> [HeldRow] {
    var found: [HeldRow] = []
    for set in layers.flatMap(\.changes.entities) {
      for key in set.entity.uniqueKeys {
        let updated = set.updated.filter { !$0.changed.intersection(key.set).isEmpty }
        var rows = (set.inserted + updated.map(\.row))[...]
        while !rows.isEmpty {
          found += (try? readTwins(of: rows.prefix(256), key, set.entity)) ?? []
          rows = rows.dropFirst(256)
        }
      }
    }
    return found
  }

  private func readTwins(
    of rows: some Sequence<RowPointer>, _ key: UniqueKey, _ entity: EntityLayout
  ) throws -> [HeldRow] {
    let value = UniqueValue(key)
    let all = rows.compactMap(value.values)
    if all.isEmpty { return [] }
    let query = key.query(all, in: entity)
    let reader = try store.reader()
    defer { reader.finish() }
    return try reader.fetch(query).map(\.held)
  }
}
