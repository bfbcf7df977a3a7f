import CauldronModel
import CauldronStore

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
      return try RowCheck.run(checks, of: table.sqlName, connection) + doubledKeys(root)
        + duplicates()
    }
  }

  /// What is asked of every row.
  private func own(_ root: EntityLayout) -> [RowCheck] {
    let numbers = found.schema.numberList(root.family.map(\.entity).filter { !$0.isAbstract })
    let known = numbers.isEmpty ? "1" : "(t.Z_ENT IN (\(numbers)))"
    return [
      RowCheck(
        kind: .rowEntity,
        condition: "(\(known) IS NOT 1 OR typeof(t.Z_ENT) NOT IN ('integer', 'null'))",
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

  /// Keys of several rows; only a table whose key is no primary key allows them.
  private func doubledKeys(_ root: EntityLayout) throws -> [StoreFinding] {
    let columns = try SchemaCheck(connection: connection, planned: found.schema).columns(of: table)
    let key = columns.first { $0.name.uppercased() == "Z_PK" }
    if let key, key.type == "INTEGER", columns.filter(\.isKey).count == 1, key.isKey { return [] }
    let rows = "\(table.sqlName) GROUP BY Z_PK HAVING count(*) > 1"
    let count = Int(try connection.integer("SELECT count(*) FROM (SELECT 1 FROM \(rows))") ?? 0)
    guard count > 0 else { return [] }
    let keys = try connection.integers(
      "SELECT Z_PK FROM \(rows) ORDER BY 1 LIMIT \(RowCheck.named)")
    let shown = keys.map { "p\($0)" }.joined(separator: ", ") + (count > keys.count ? ", …" : "")
    return [
      StoreFinding(
        .rowKey, "\(root.name): several rows have one key (\(shown)).", entity: root.name,
        count: count, keys: keys)
    ]
  }

  /// Values that are there twice although they are unique.
  private func duplicates() throws -> [StoreFinding] {
    try table.constraints.filter { found.has($0.columns, in: table) }.compactMap { constraint in
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

/// A question to each row of a table; rows for which it is true are a finding.
struct RowCheck {
  let kind: StoreFinding.Kind
  /// A condition on the row `t`.
  let condition: String
  /// What is wrong, as the beginning of a sentence: `Person.name is required and nil`.
  let what: String
  var entity: EntityLayout?
  var property: PropertyLayout?

  func finding(_ count: Int, _ keys: [Int64]) -> StoreFinding {
    StoreFinding(
      kind, "\(what) \(Self.place(count, keys.map { "p\($0)" })).", entity: entity?.name,
      property: property?.name, count: count, keys: keys)
  }

  /// How many rows and which: `in 3 rows (p1, p2, p5)`.
  static func place(_ count: Int, _ names: [String]) -> String {
    let list = names.joined(separator: ", ") + (count > names.count ? ", …" : "")
    return "in \(count) row\(count == 1 ? "" : "s")" + (names.isEmpty ? "" : " (\(list))")
  }
}

extension RowCheck {
  /// The most questions that one statement asks.
  private static let batch = 40
  /// The most rows that are named.
  static let named = 10

  /// Asks all questions in as few scans as possible, and looks for the rows of those that find any.
  static func run(
    _ checks: [RowCheck], of table: String, _ connection: Connection
  ) throws -> [StoreFinding] {
    var findings: [StoreFinding] = []
    for start in stride(from: 0, to: checks.count, by: batch) {
      let part = checks[start..<min(start + batch, checks.count)]
      let terms = part.map { "count(CASE WHEN \($0.condition) THEN 1 END)" }
      let statement = try Statement(
        connection.handle, "SELECT \(terms.joined(separator: ", ")) FROM \(table) AS t")
      guard try statement.step() else { continue }
      let counts = part.indices.map { Int(statement.integer(Int32($0 - start))) }
      statement.reset()
      for (check, count) in zip(part, counts) where count > 0 {
        findings.append(
          check.finding(
            count,
            try connection.integers(
              "SELECT t.Z_PK FROM \(table) AS t WHERE \(check.condition) LIMIT \(named)")))
      }
    }
    return findings
  }
}

extension Connection {
  /// The first cell of each row.
  func integers(_ sql: String) throws -> [Int64] {
    let statement = try Statement(handle, sql)
    var list: [Int64] = []
    while try statement.step() { list.append(statement.integer(0)) }
    return list
  }
}
