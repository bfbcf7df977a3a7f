import CauldronModel

/// What a file has beside the tables of its model: triggers, views, tables and indexes of other programs.
///
/// A store with them is opened, as Core Data does. They may change what is written, so that they are named.
struct ForeignObjects {
  let connection: Connection
  let schema: StoreSchema

  /// The tables of Core Data's history and of CloudKit, beside those whose names begin with Z_.
  private static let history = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  /// Each in words: `the trigger "x" on ZPERSON`; costs one statement.
  func names() throws -> [String] {
    let statement = try Statement(
      connection.handle,
      "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT GLOB 'sqlite_*'"
        + " AND (type <> 'index' OR sql NOT NULL) ORDER BY type = 'index', type DESC, name")
    let tables = Set(schema.tables.map { $0.name.uppercased() })
    let indexes = Set(schema.tables.flatMap(\.indexStatements).map { $0.name.uppercased() })
    var names: [String] = []
    while try statement.step() {
      let (type, name, table) = (statement.text(0), statement.text(1), statement.text(2))
      let isOn = "the \(type) \"\(name.excerpt(60))\" on \(table.excerpt(60))"
      let upper = name.uppercased()
      switch type {
      case "table" where !tables.contains(upper) && !Self.isApples(upper):
        names.append("the table \"\(name.excerpt(60))\"")
      case "view": names.append("the view \"\(name.excerpt(60))\"")
      case "trigger" where !upper.hasPrefix("Z_"): names.append(isOn)
      case "index"
      where !indexes.contains(upper) && !upper.hasPrefix("Z") && !Self.isApples(table.uppercased()):
        names.append(isOn)
      default: break
      }
    }
    return names
  }

  private static func isApples(_ name: String) -> Bool {
    name.hasPrefix("Z_") || history.contains(name) || name.hasPrefix("ANSCK")
  }
}
