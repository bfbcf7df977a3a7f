import CauldronModel

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
