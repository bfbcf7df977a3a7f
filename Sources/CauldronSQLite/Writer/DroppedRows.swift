import CauldronModel

/// A statement has kept fewer rows than it was to write: something in the file drops them in silence, such
/// as a trigger. Nothing of the save is committed then.
struct DroppedRows: Error {
  /// The table as SQL takes it.
  let table: String
  /// What the table did, as the end of a sentence about it: `has kept 2 of 3 rows`.
  let work: String

  init(_ table: TableSchema, _ work: String) { self.init(table.sqlName, work) }

  init(_ table: String, _ work: String) {
    self.table = table
    self.work = work
  }

  /// - Parameter act: What was to be done with the store, such as `Save to`.
  func error(_ act: String, _ path: String, _ connection: Connection) -> CauldronError {
    let names = (try? triggers(connection)) ?? []
    let list = names.prefix(3).map { "\"\($0.excerpt(60))\"" }.joined(separator: ", ")
    let culprit =
      names.isEmpty
      ? "nothing in it says why"
      : "it has the trigger\(names.count == 1 ? "" : "s") \(list)\(names.count > 3 ? ", …" : "")"
    return CauldronError(
      .storeCorrupt,
      "\(act) \"\(path)\": the table \(table) \(work), and SQLite named no error;"
        + " \(culprit). Nothing was written.",
      hint: "Drop the trigger that keeps the table from that, or restore a copy with"
        + " `cauldron restore`."
    ).with { $0.path = path }
  }

  /// The triggers of the table.
  private func triggers(_ connection: Connection) throws -> [String] {
    let statement = try Statement(
      connection.handle,
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"
        + " AND name NOT GLOB 'Z_DA_*' ORDER BY name")
    let name = table.hasPrefix("\"") ? String(table.dropFirst().dropLast()) : table
    try statement.bind(1, to: .text(Array(name.utf8)))
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }

  /// So many rows, for `work`.
  static func rows(_ count: Int) -> String { "\(count) row\(count == 1 ? "" : "s")" }
}
