import CauldronModel

/// Decodes the values of a root entity's table as the classes of its model do.
struct ValueVerification {
  let connection: Connection
  let found: FoundSchema
  let table: TableSchema

  var findings: [StoreFinding] {
    get throws {
      let family = found.model.layout(number: table.rootNumber)?.family.map(\.entity) ?? []
      return try family.flatMap { layout in
        try layout.ownProperties.flatMap { try findings(of: $0, layout) }
      }
    }
  }

  private func findings(
    of property: PropertyLayout, _ layout: EntityLayout
  ) throws -> [StoreFinding] {
    guard case .attribute(let attribute) = property.description,
      let test = attribute.readability, let column = found.column(property, layout)
    else { return [] }
    let statement = try Statement(
      connection.handle,
      "SELECT t.Z_PK, \(column) FROM \(table.sqlName) AS t"
        + " WHERE \(found.rowCondition(layout))\(column) NOT NULL")
    var counts: [AttributeReadability.Trouble: (count: Int, keys: [Int64])] = [:]
    while try statement.step() {
      guard let trouble = test.trouble(statement.scalar(1)) else { continue }
      counts[trouble, default: (0, [])].count += 1
      if counts[trouble, default: (0, [])].keys.count < RowCheck.named {
        counts[trouble]?.keys.append(statement.integer(0))
      }
    }
    return counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { trouble, rows in
      let check = RowCheck(
        kind: trouble == .unknownCase ? .valueUnknownCase : .valueUndecodable, condition: "",
        what: "\(layout.name).\(property.name) \(trouble.rawValue)", entity: layout,
        property: property)
      return check.finding(rows.count, rows.keys)
    }
  }
}
