import Cauldron
import CauldronGraph
import CauldronLedger
import Foundation

/// What a store holds, as a file or as a context shows it.
struct Contents: Equatable {
  /// A bit for each save that the tally knows.
  var mask = 0
  var saves = 0
  /// How many notes each save's batch has.
  var batches: [Int: Int] = [:]
  /// What the notes of each batch say.
  var texts: [Int: Set<String>] = [:]

  mutating func add(_ batch: Int, _ text: String) {
    batches[batch, default: 0] += 1
    texts[batch, default: []].insert(text)
  }

  func has(_ number: Int) -> Bool { mask >> number & 1 == 1 }
}

extension Contents {
  /// What a context shows.
  init(_ context: LocalContext) throws {
    let tallies = try Tally.findAll(in: context)
    guard tallies.count <= 1 else { throw SoakFailure("\(tallies.count) tallies") }
    if let tally = tallies.first { (mask, saves) = (tally.mask, tally.saves) }
    for note in try Note.findAll(sortedBy: \.position, in: context) { add(note.batch, note.text) }
  }
}

/// What a file holds, read by a connection that knows nothing of the library.
struct FileContents {
  private(set) var contents = Contents()
  /// What contradicts itself.
  private(set) var problems: [String] = []
  /// Whether the file has the store's tables.
  private(set) var isStore = false

  init(_ url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    let database = try RawDatabase(url, vfs: "unix")
    let tables = try database.number("SELECT count(*) FROM sqlite_master WHERE name = 'ZTALLY'")
    guard tables == 1 else { return }
    isStore = true
    try readTally(database)
    try readNotes(database)
    try readKeys(database)
  }

  /// Looks at every page, too.
  static func problems(_ url: URL) throws -> [String] {
    guard FileManager.default.fileExists(atPath: url.path) else { return ["there is no file"] }
    let database = try RawDatabase(url, vfs: "unix")
    return try database.rows("PRAGMA integrity_check").filter { $0 != "ok" }
      + database.rows("PRAGMA foreign_key_check")
  }

  private mutating func readTally(_ database: RawDatabase) throws {
    let rows = try database.rows("SELECT ZMASK, ZSAVES FROM ZTALLY")
    if rows.count > 1 { problems.append("\(rows.count) tallies") }
    guard let cells = rows.first?.split(separator: "|").compactMap({ Int($0) }) else { return }
    guard cells.count == 2 else { return problems.append("tally \(rows[0])") }
    (contents.mask, contents.saves) = (cells[0], cells[1])
    if contents.mask.nonzeroBitCount != contents.saves {
      problems.append("\(contents.saves) saves are counted, but \(contents.mask) is the mask")
    }
  }

  private mutating func readNotes(_ database: RawDatabase) throws {
    for row in try database.rows("SELECT ZBATCH, ZTEXT FROM ZNOTE") {
      let cells = row.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      contents.add(Int(cells[0]) ?? -1, String(cells[1]))
    }
    problems += try database.rows(
      """
      SELECT 'note ' || Z_PK || ' leads nowhere' FROM ZNOTE
      WHERE ZSHELF IS NULL OR ZSHELF NOT IN (SELECT Z_PK FROM ZSHELF)
      """)
  }

  private mutating func readKeys(_ database: RawDatabase) throws {
    for (entity, table) in [("Shelf", "ZSHELF"), ("Note", "ZNOTE"), ("Tally", "ZTALLY")] {
      let keys =
        try database.rows("SELECT ifnull(min(Z_PK), 1), ifnull(max(Z_PK), 0) FROM \(table)")
        .first?.split(separator: "|").compactMap { Int($0) } ?? []
      let most = try database.number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")
      guard keys.count == 2 else { continue }
      if keys[0] <= 0 { problems.append("\(entity) has the key \(keys[0])") }
      if keys[1] > most { problems.append("\(entity) has the key \(keys[1]), Z_MAX is \(most)") }
    }
  }
}
