import CauldronModel

/// What `Z_PRIMARYKEY` says: the number, the parent and the last key of each entity.
struct EntityNumbers {
  struct Line {
    let number: Int64
    let name: String
    let parent: Int64
    /// The last key that was given away; nil where that is not written.
    let last: Int64?
  }

  let connection: Connection
  let lines: [Line]

  init(_ connection: Connection) throws {
    self.connection = connection
    let statement = try Statement(
      connection.handle,
      "SELECT Z_ENT, Z_NAME, ifnull(Z_SUPER, 0), Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    var lines: [Line] = []
    while try statement.step() {
      lines.append(
        Line(
          number: statement.integer(0), name: statement.text(1), parent: statement.integer(2),
          last: statement.isNull(3) ? nil : statement.integer(3)))
    }
    self.lines = lines
  }

  /// Where the entities of a model have no row, or one below another entity's.
  func differences(from schema: StoreSchema) -> [StoreFinding] {
    let byNumber = Dictionary(lines.map { ($0.number, $0) }) { first, _ in first }
    return schema.model.entityLayouts.compactMap { layout in
      let number = schema.number(of: layout)
      func finding(_ what: String) -> StoreFinding {
        StoreFinding(
          .entityNumber, "\(layout.name) has the number \(number), and Z_PRIMARYKEY \(what).",
          entity: layout.name)
      }
      guard let line = byNumber[Int64(number)] else { return finding("has no row for it") }
      let parent = layout.superentity.map { Int64(schema.number(of: $0)) } ?? 0
      return line.parent == parent ? nil : finding("puts it below \(line.parent), not \(parent)")
    }
  }

  /// Where the last key of a table is behind its keys.
  /// - Parameter table: The table of a root entity; nil for other entities, and where it is not known.
  func countersBehind(_ table: (Line) -> String?) throws -> [StoreFinding] {
    try lines.compactMap { line in
      guard let table = table(line),
        let greatest = try connection.integer("SELECT max(Z_PK) FROM \(table)"),
        line.last.map({ $0 < greatest }) ?? true
      else { return nil }
      let last = line.last.map { "\($0)" } ?? "nothing"
      return StoreFinding(
        .keyCounter,
        "The greatest key of \(line.name) is \(greatest), and Z_PRIMARYKEY has \(last) as the last"
          + " one, so that a new object would get the key of another.", entity: line.name)
    }
  }

  /// The table of Core Data's history that has a number of its own.
  static func historyTable(_ line: Line) -> String? {
    [16001: "ACHANGE", 16002: "ATRANSACTION", 16003: "ATRANSACTIONSTRING"][line.number]
  }
}
