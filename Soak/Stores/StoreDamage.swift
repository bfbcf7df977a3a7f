import Foundation

/// Damages a store, in ways that a seed decides.
struct StoreDamage {
  let files: StoreFiles
  /// Where the good stores lie.
  let samples: URL
  var random: SoakGenerator
  /// What was done, in a few words each.
  private(set) var notes: [String] = []

  /// A way to damage a store; gives what it did.
  typealias Mutation = @Sendable (inout StoreDamage) -> String

  init(_ files: StoreFiles, samples: URL, seed: UInt64) {
    self.files = files
    self.samples = samples
    random = SoakGenerator(seed: seed)
  }

  /// The ways, grouped so that each group is as likely as each other.
  private static let groups: [[Mutation]] = [
    bytes, rows, rows, keys, schema, schema, master, metadata, archives, logs,
  ]

  /// Damages the store in one to three ways.
  mutating func run() {
    for _ in 0..<(1 + below(6) / 2) {
      let mutation = pick(pick(Self.groups))
      notes.append(mutation(&self).excerpt)
    }
    for ending in StoreFiles.endings where files.has(ending) { files.age(ending) }
  }
}

extension StoreDamage {
  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &random) }

  mutating func once(in number: Int) -> Bool { below(number) == 0 }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  mutating func pick(_ list: [String], or other: String) -> String {
    list.isEmpty ? other : pick(list)
  }

  /// A connection that leaves what it writes in the log, or does not.
  mutating func connection() -> DamageConnection {
    DamageConnection(files, keepsLog: files.has("-wal") || once(in: 6))
  }

  /// Runs SQL, and tells it.
  mutating func run(_ sql: String) -> String {
    let connection = connection()
    return connection.run(sql) ? sql : "\(sql) (fails)"
  }

  /// The tables, as identifiers of SQL.
  mutating func table(_ pattern: String = "Z%") -> String {
    let names = connection().texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '\(pattern)' ORDER BY name"
    )
    return pick(names, or: "ZTHING")
  }

  /// A table of objects or links.
  mutating func rowTable() -> String {
    let names = connection().texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Z%'"
        + " AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE', 'Z_PRIMARYKEY') ORDER BY name")
    return pick(names, or: "ZTHING")
  }

  mutating func column(of table: String, like pattern: String = "%") -> String {
    let names = connection().texts(
      "SELECT name FROM pragma_table_info('\(table)') WHERE name LIKE '\(pattern)'")
    return pick(names, or: "Z_PK")
  }

  /// Which rows a change concerns.
  mutating func some(of table: String) -> String {
    switch below(4) {
    case 0: return ""
    case 1: return " WHERE rowid % 3 = 0"
    default:
      let rowids = connection().texts("SELECT rowid FROM \"\(table)\" ORDER BY rowid LIMIT 400")
      return " WHERE rowid = \(pick(rowids, or: "1"))"
    }
  }

  /// A value that a column seldom has, as SQL.
  mutating func oddValue() -> String {
    pick([
      "NULL", "''", "'abc'", "x'00ff10'", "x''", "9223372036854775807", "-9223372036854775808",
      "-1", "0", "1", "2", "70000", "4294967296", "1e308", "9e999", "-9e999", "1.5", "0.1",
      "'12'", "'9e999'", "'nan'", "CAST(x'fffe80' AS TEXT)", "'a' || char(0) || 'b'",
      "char(10, 27, 8238)", "printf('%.*c', 100000, 'x')", "zeroblob(200000)",
      "zeroblob(16)", "9007199254740993", "-62135769600.0", "1e18", "'2020-01-01'", "char(55357)",
      "'{\"a\":1}'", "printf('%.*c', 5000, '[')", "x'62706c6973743030'", "-0.0", "1e-320",
    ])
  }
}

extension String {
  /// The text on one line, and not longer than is good to read.
  fileprivate var excerpt: String {
    let line = String(
      unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
    return line.count > 300 ? line.prefix(300) + "…" : line
  }
}
