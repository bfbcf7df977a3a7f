import Foundation

/// The rows of a table by the values of one uniqueness constraint.
struct UniqueIndex: Sendable {
  let names: [String]
  private let columns: [Column]
  private var keys: [[AttributeScalar]: Int64] = [:]

  /// A constrained property and the topmost entity that has it; an SQL index covers the column, and
  /// so the rows of all entities that share it.
  private struct Column {
    let property: PropertyLayout
    let owner: EntityLayout
  }

  init(_ names: [String], of entity: EntityLayout) {
    self.names = names
    columns = names.compactMap { name in
      guard let index = entity.index(of: name) else { return nil }
      var owner = entity
      while let parent = owner.superentity, parent.index(of: name) != nil { owner = parent }
      return Column(property: entity.properties[index], owner: owner)
    }
  }

  /// The key of the row that has the same values; nil is equal to nothing.
  func key(for row: RowPointer, _ layout: EntityLayout?) -> Int64? {
    values(of: row, layout).flatMap { keys[$0] }
  }

  mutating func add(_ row: RowPointer, _ layout: EntityLayout?) {
    if let values = values(of: row, layout) { keys[values] = row.key }
  }

  mutating func remove(_ row: RowPointer, _ layout: EntityLayout?) {
    if let values = values(of: row, layout), keys[values] == row.key { keys[values] = nil }
  }

  /// The values of a row; nil where one of them is nil.
  func values(of row: RowPointer, _ layout: EntityLayout?) -> [AttributeScalar]? {
    guard let layout else { return nil }
    var values: [AttributeScalar] = []
    for column in columns {
      let value = RowValue(column.property)
      guard let storage = column.property.storageClass, layout.isKind(of: column.owner),
        !value.isNil(in: row)
      else { return nil }
      switch value.form {
      case .decimal: values.append(.text((value.decimal(in: row) ?? 0).description))
      case .integer, .real, .bytes: values.append(row.scalar(value.index, storage))
      }
    }
    return values
  }
}
