import CauldronModel
import CauldronStore

/// Looks at the links of a many-to-many relationship.
struct JoinVerification {
  let connection: Connection
  let found: FoundSchema
  let table: TableSchema

  private var join: EntityLayout? { found.model.layout(number: table.rootNumber) }

  /// The relationship whose column holds the keys of the objects at an end.
  private func name(_ end: PropertyLayout) -> String {
    guard let there = end.destination,
      let back = join?.properties[1 - end.index].destination
    else { return table.name }
    let property = back.entity.properties.first {
      $0.join?.entity === join && $0.join?.far == end.index
        && $0.destination?.entity === there.entity
    }
    return property.map { "\(back.entity.name).\($0.name)" } ?? table.name
  }

  /// Both relationships: `Post.tags ↔ Tag.posts`.
  var title: String {
    join.map { Set($0.properties.map(name)).sorted().joined(separator: " ↔ ") } ?? table.name
  }

  private var ends: [String] {
    table.columns.filter { $0.role == .toOne }.map { SQLIdentifier.quoted($0.name) }
  }

  var findings: [StoreFinding] {
    get throws {
      guard let join else { return [] }
      var findings = try doubled()
      for end in join.properties {
        findings += try targets(end)
        findings += try keys(end)
        findings += try places(end)
      }
      return findings
    }
  }

  private func doubled() throws -> [StoreFinding] {
    let pair = ends.joined(separator: ", ")
    let twice = try finding(
      .linkDoubled, saying: "\(table.name) links the same objects more than once",
      in: "\(table.sqlName) AS t GROUP BY \(pair) HAVING count(*) > 1")
    let half = try finding(
      .linkDoubled, saying: "\(table.name) links an object with nothing",
      in: "\(table.sqlName) AS t WHERE \(ends[0]) IS NULL OR \(ends[1]) IS NULL")
    return twice + half
  }

  private func targets(_ end: PropertyLayout) throws -> [StoreFinding] {
    guard let entity = end.destination?.entity, let objects = found.table(of: entity) else {
      return []
    }
    let column = "t.\(ends[end.index])"
    let number = "(SELECT d.Z_ENT FROM \(objects) AS d WHERE d.Z_PK = \(column))"
    let rows = "\(table.sqlName) AS t WHERE \(column) NOT NULL AND"
    return try finding(
      .linkDangling, saying: "\(name(end)) leads to no \(entity.name)",
      in: "\(rows) NOT EXISTS (SELECT 1 FROM \(objects) AS d WHERE d.Z_PK = \(column))", at: end)
      + finding(
        .linkEntity, saying: "\(name(end)) leads to what is no \(entity.name)",
        in: "\(rows) \(found.schema.excludes(number, from: entity))", at: end)
  }

  private func keys(_ end: PropertyLayout) throws -> [StoreFinding] {
    let column = "t.\(ends[end.index])"
    return try finding(
      .rowKey, saying: "\(table.name) links an object with a key that none can have",
      in: "\(table.sqlName) AS t WHERE \(column) NOT NULL AND (typeof(\(column)) <> 'integer' OR"
        + " \(column) NOT BETWEEN 1 AND \(JoinKey.greatestEnd))", at: end)
  }

  private func places(_ end: PropertyLayout) throws -> [StoreFinding] {
    guard
      let column = table.columns.first(where: { $0.role == .orderKey && $0.property == end.index })
    else { return [] }
    let place = "t.\(SQLIdentifier.quoted(column.name))"
    let rows = "\(table.sqlName) AS t WHERE typeof(\(place))"
    return try finding(
      .orderMissing, saying: "\(name(end)) leads to an object without a place",
      in: "\(rows) <> 'integer'", at: end)
      + finding(
        .orderNegative, saying: "\(name(end)) leads to an object with a place before the first one",
        in: "\(rows) = 'integer' AND \(place) < 0", at: end)
  }

  /// The key in a column, or in place of any other value its kind: a text may be long, and have lines.
  private static func shown(_ column: String) -> String {
    "CASE typeof(\(column)) WHEN 'integer' THEN \(column) WHEN 'null' THEN '-'"
      + " ELSE typeof(\(column)) END"
  }

  /// - Parameter rows: What follows "FROM".
  private func finding(
    _ kind: StoreFinding.Kind, saying what: String, in rows: String, at end: PropertyLayout? = nil
  ) throws -> [StoreFinding] {
    let count = try connection.integer("SELECT count(*) FROM (SELECT 1 FROM \(rows))") ?? 0
    guard count > 0 else { return [] }
    let pair = ends.map(Self.shown).joined(separator: " || '–' || ")
    let statement = try Statement(
      connection.handle, "SELECT \(pair) FROM \(rows) LIMIT \(RowCheck.named)")
    var pairs: [String] = []
    while try statement.step() { pairs.append(statement.text(0)) }
    let parts = end.map(name)?.split(separator: ".").map(String.init) ?? []
    return [
      StoreFinding(
        kind, "\(what) \(RowCheck.place(Int(count), pairs)).",
        entity: parts.count == 2 ? parts[0] : nil, property: parts.count == 2 ? parts[1] : nil,
        count: Int(count))
    ]
  }
}
