import CauldronModel

/// How an object was when it was created.
struct UniqueOrigin: Sendable {
  let key: Int64
  let entity: EntityLayout
  /// The values that it was asked for by; nil where it was just created.
  let values: UniqueValues?
  /// What it has begun with; nil where that is the defaults and the values.
  let given: HeldRow?

  /// The unique key that it was asked for by; nil where it was just created.
  var claimed: UniqueKey? {
    values.flatMap { values in entity.uniqueKeys.first { $0.number == values.key } }
  }

  /// Calls `body` with the defaults, and for a claimed object the values that it is found by.
  /// - Complexity: O(properties) where the row is made.
  func withRow<Result>(_ body: (RowPointer) throws -> Result) rethrows -> Result {
    let held = given ?? made
    return try withExtendedLifetime(held) { try body(held.row) }
  }

  private var made: HeldRow {
    var builder = RowBuilder()
    var row = builder.begin(entity, key: key)
    for (property, scalar) in zip(claimed?.properties ?? [], values?.all ?? []) {
      row = builder.set(property.index, scalar, of: row, entity)
    }
    builder.close()
    return row.held
  }
}
