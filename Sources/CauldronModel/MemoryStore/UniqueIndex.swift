/// The rows of a hierarchy by the values of one uniqueness constraint.
struct UniqueIndex: Sendable {
  /// The constraint's number among those of the hierarchy.
  private let number: Int
  let names: [String]
  /// How the values of each entity's rows are read; an SQL index covers the column, and so the rows of
  /// all entities that share it.
  private let values: [Int32: UniqueValue]
  private var keys: [[AttributeScalar]: Int64] = [:]

  /// - Parameter family: The entities of the hierarchy.
  init(_ key: UniqueKey, in family: [EntityLayout]) {
    number = key.number
    names = key.names
    var values: [Int32: UniqueValue] = [:]
    for entity in family {
      values[entity.number] = entity.uniqueKeys.first { $0.number == key.number }
        .map(UniqueValue.init)
    }
    self.values = values
  }

  /// The key of the row that has the same values; nil is equal to nothing.
  func key(for row: RowPointer) -> Int64? { values(of: row).flatMap { keys[$0] } }

  mutating func add(_ row: RowPointer) {
    if let values = values(of: row) { keys[values] = row.key }
  }

  mutating func remove(_ row: RowPointer) {
    if let values = values(of: row), keys[values] == row.key { keys[values] = nil }
  }

  /// The values of a row; nil where one of them is nil, or the constraint is not for its entity.
  func values(of row: RowPointer) -> [AttributeScalar]? {
    values[row.entityNumber]?.values(of: row)
  }

  /// One index for each constraint of a hierarchy.
  static func all(of root: EntityLayout) -> [UniqueIndex] {
    let family = root.family.map(\.entity)
    var indexes: [UniqueIndex] = []
    for key in family.flatMap(\.uniqueKeys)
    where !indexes.contains(where: { $0.number == key.number }) {
      indexes.append(UniqueIndex(key, in: family))
    }
    return indexes.sorted { $0.number < $1.number }
  }
}
