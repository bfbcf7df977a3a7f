import Cauldron
import CauldronModel
import Foundation
import Testing

/// The rows of a store's entities as SQLite shows them.
struct AppleRows {
  /// The cells of each row as SQL, by the number of its entity and its key, and by their columns.
  private(set) var rows: [String: [String: String]] = [:]
  let integrity: [String]

  var count: Int { rows.count }

  static func name(_ object: ManagedObject) -> String {
    "\(object.objectID.entityNumber) \(object.objectID.key)"
  }

  init(_ url: URL) throws {
    let database = OtherConnection(url)
    integrity = database.texts("PRAGMA integrity_check")
    let tables = database.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'"
        + " AND name NOT LIKE 'Z\\_%' ESCAPE '\\'")
    for table in tables {
      let columns = database.texts("SELECT name FROM pragma_table_info('\(table)')")
      let list = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
      for cells in database.rows("SELECT Z_ENT, Z_PK, \(list) FROM \"\(table)\"") {
        let row = cells.map { $0 ?? "NULL" }
        rows["\(row[0]) \(row[1])"] = Dictionary(
          uniqueKeysWithValues: zip(columns, row.dropFirst(2)))
      }
    }
  }

  /// The cell of an attribute or of a to-one relationship, as SQL.
  func cell(_ object: ManagedObject, _ property: String) -> String? {
    rows[Self.name(object)]?["Z\(property.uppercased())"]
  }

  /// Compares all that objects show, inherited properties too, with the file.
  func check(_ objects: [ManagedObject], _ model: ManagedObjectModel) throws {
    #expect(objects.count == count && Set(objects.map(Self.name)) == Set(rows.keys))
    for object in objects {
      let layout = try #require(model.layout(named: object.entity.name))
      for property in layout.properties { check(object, property.description) }
    }
  }

  private func check(_ object: ManagedObject, _ property: PropertyDescription) {
    let value = object.value(forKey: property.name)
    switch property {
    case .attribute(let attribute):
      if attribute.isTransient { return }
      let cell = cell(object, attribute.name) ?? "no column"
      #expect(Self.agree(value, cell), "\(object).\(attribute.name) \(cell)")
    case .relationship(let relationship) where !relationship.isToMany:
      let key = (value as? ManagedObject).map { "\($0.objectID.key)" } ?? "NULL"
      #expect(cell(object, relationship.name) == key, "\(object).\(relationship.name)")
    case .relationship(let relationship):
      // The other side of each is as the file has it.
      guard let others = value as? [ManagedObject], let inverse = relationship.inverse else {
        return
      }
      for other in others where other.value(forKey: inverse) is ManagedObject {
        #expect(other.value(forKey: inverse) as? ManagedObject === object)
      }
    }
  }

  /// Whether a value is what a cell says.
  private static func agree(_ value: Any?, _ cell: String) -> Bool {
    switch value {
    case nil: cell == "NULL"
    case let text as String: cell == "'\(text.replacing("'", with: "''"))'"
    case let url as URL: cell == "'\(url.absoluteString)'"
    case let data as Data: cell == literal(data)
    case let uuid as UUID: cell == withUnsafeBytes(of: uuid.uuid) { literal(Data($0)) }
    case let date as Date: Double(cell) == date.timeIntervalSinceReferenceDate
    case let decimal as Decimal: agree(NSDecimalNumber(decimal: decimal).doubleValue, cell)
    case let flag as Bool: cell == (flag ? "1" : "0")
    case let number as any BinaryInteger: cell == "\(number)"
    case let number as any BinaryFloatingPoint: Double(cell) == Double(number)
    default: false
    }
  }

  /// Decimals show 15 digits of the number in the cell.
  private static func agree(_ decimal: Double, _ cell: String) -> Bool {
    Double(cell).map { abs($0 - decimal) <= abs(decimal) * 1e-14 } ?? false
  }

  /// Bytes as SQL.
  static func literal(_ data: Data) -> String {
    "X'\(data.map { String(format: "%02X", $0) }.joined())'"
  }
}
