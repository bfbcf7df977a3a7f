import CauldronModel

/// Looks at the rows of a root entity's table.
struct TableVerification {
  let connection: Connection
  let found: FoundSchema
  let table: TableSchema

  private var root: EntityLayout? { found.model.layout(number: table.rootNumber) }

  var findings: [StoreFinding] {
    get throws {
      guard let root else { return [] }
      let family = root.family.map(\.entity)
      let checks =
        own(root)
        + family.flatMap {
          AttributeChecks(found: found, layout: $0).list
            + ReferenceChecks(found: found, layout: $0).list
        }
      return try RowCheck.run(checks, of: table.sqlName, connection) + duplicates()
    }
  }

  /// What is asked of every row.
  private func own(_ root: EntityLayout) -> [RowCheck] {
    let numbers = found.schema.numberList(root.family.map(\.entity).filter { !$0.isAbstract })
    let known = numbers.isEmpty ? "1" : "(t.Z_ENT IN (\(numbers)))"
    return [
      RowCheck(
        kind: .rowEntity, condition: "\(known) IS NOT 1",
        what: "\(root.name) has the number of none of its entities", entity: root),
      RowCheck(
        kind: .rowKey, condition: "t.Z_PK < 1", what: "\(root.name) has a key below 1",
        entity: root),
      RowCheck(
        kind: .rowVersion,
        condition: "(typeof(t.Z_OPT) <> 'integer' OR t.Z_OPT NOT BETWEEN 0 AND"
          + " \(RowPointer.greatestVersion))",
        what: "\(root.name) has no version that can be counted on from", entity: root),
    ]
  }

  /// Values that are there twice although they are unique.
  private func duplicates() throws -> [StoreFinding] {
    try table.constraints.filter { found.has($0.columns, table) }.compactMap { constraint in
      let names = constraint.columns.map { "t.\(table.sqlName($0))" }
      let list = names.joined(separator: ", ")
      let rows =
        "\(table.sqlName) AS t WHERE \(names.map { "\($0) NOT NULL" }.joined(separator: " AND "))"
        + " GROUP BY \(list) HAVING count(*) > 1"
      let count = Int(
        try connection.integer("SELECT count(*) FROM (SELECT 1 FROM \(rows))") ?? 0)
      guard count > 0 else { return nil }
      let keys = try connection.integers(
        "SELECT min(t.Z_PK) FROM \(rows) ORDER BY 1 LIMIT \(RowCheck.named)")
      let values = count == 1 ? "1 value is" : "\(count) values are"
      let shown = keys.map { "p\($0)" }.joined(separator: ", ") + (count > keys.count ? ", …" : "")
      return StoreFinding(
        .valueDuplicate,
        "\(constraint.entity): \(constraint.properties.joined(separator: ", ")) must be unique,"
          + " and \(values) there more than once (\(shown)).",
        entity: constraint.entity,
        property: constraint.properties.count == 1 ? constraint.properties[0] : nil, count: count,
        keys: keys)
    }
  }
}
