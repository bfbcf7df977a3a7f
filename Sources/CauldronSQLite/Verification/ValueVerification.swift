internal import CSQLite
import CauldronModel
import Foundation

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
        + " WHERE \(layout.rowCondition)\(column) NOT NULL")
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

extension Statement {
  /// A cell in the form that values share.
  fileprivate func scalar(_ column: Int32) -> AttributeScalar {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(Data(bytes(column)))
    default: .null
    }
  }
}
