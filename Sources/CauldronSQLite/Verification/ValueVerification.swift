import CauldronModel
import CauldronStore

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
      let test = attribute.readability, let column = found.column(of: property, in: layout)
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

/// What is asked of the cells of attributes.
struct AttributeChecks {
  let found: FoundSchema
  /// The entity that declares the attributes.
  let layout: EntityLayout

  var list: [RowCheck] {
    layout.ownProperties.flatMap { property -> [RowCheck] in
      guard property.hasColumn, let column = found.column(of: property, in: layout) else {
        return []
      }
      var checks: [RowCheck] = []
      func add(_ kind: StoreFinding.Kind, where condition: String, saying what: String) {
        checks.append(
          RowCheck(
            kind: kind, condition: found.rowCondition(layout) + condition,
            what: "\(layout.name).\(property.name) \(what)", entity: layout, property: property))
      }
      if property.isRequired {
        add(.valueMissing, where: "\(column) IS NULL", saying: "is required and nil")
      }
      if let form = property.form {
        let range = property.attributeType?.integerRange
        let name = property.attributeType?.displayName ?? "key"
        add(.valueType, where: form.refusal(of: column, range), saying: "holds no \(name)")
      }
      return checks
    }
  }
}

extension FoundSchema {
  /// The condition that the row `t` is one of an entity's, followed by "AND"; empty where all are.
  func rowCondition(_ layout: EntityLayout) -> String {
    layout.superentity == nil ? "" : "\(schema.includes("t.Z_ENT", in: layout)) AND "
  }
}

extension ValueForm {
  /// The condition that a cell holds something that is no value of the form.
  ///
  /// What a column's affinity converts is never seen: an integer that came as text is one.
  func refusal(of column: String, _ range: ClosedRange<Int64>?) -> String {
    let type = "typeof(\(column))"
    switch self {
    case .integer:
      let condition = "\(type) NOT IN ('integer', 'null')"
      guard let range, range != .min ... .max else { return "(\(condition))" }
      return "(\(condition) OR \(column) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound))"
    // Any other number is true where it is read, and found neither as true nor as false.
    case .boolean: return "(\(type) NOT IN ('integer', 'null') OR \(column) NOT IN (0, 1))"
    // A text such as 9e999 becomes an infinity in a column of numbers.
    case .decimal: return "(\(type) IN ('text', 'blob') OR \(column) IN (9e999, -9e999))"
    case .real:
      // SQLite compares an integer and a real exactly (https://www.sqlite.org/datatype3.html).
      let inexact = "\(type) = 'integer' AND \(column) <> CAST(\(column) AS REAL)"
      return "(\(type) IN ('text', 'blob') OR \(inexact))"
    case .text:
      return "(\(type) = 'blob' OR \(type) = 'text' AND NOT cauldron_is_text(\(column)))"
    case .blob, .encoded: return "\(type) NOT IN ('blob', 'null')"
    case .uuid: return "(\(type) NOT IN ('blob', 'null') OR length(\(column)) <> 16)"
    }
  }
}
