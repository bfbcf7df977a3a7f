import Foundation

/// What a file has, compared with what was reported.
struct NamesVerdict {
  /// Names that somebody saved and that are not there, or not as they were saved.
  private(set) var lost: [String] = []
  /// Names that are there twice, or under another object's ID.
  private(set) var doubled: [String] = []
  /// What is there and nobody saved, and whatever else is wrong.
  private(set) var wrong: [String] = []

  /// Nothing is wrong.
  static let clean = NamesVerdict()

  private init() {}

  var isClean: Bool { lost.isEmpty && doubled.isEmpty && wrong.isEmpty }

  init(_ round: NamesRound, _ url: URL) throws {
    let database = try RawDatabase(url)
    wrong += round.failures
    wrong += try database.rows("PRAGMA integrity_check").filter { $0 != "ok" }
    let askers = NamesModel.contexts * NamesModel.processes
    let marks = (0..<askers).map { "ZMARK\($0)" }.joined(separator: " || ")
    var rows: [String: [String]] = [:]
    for row in try database.rows("SELECT ZTEXT, 'p' || Z_PK, hex(ZTOKEN), \(marks) FROM ZNAME") {
      let cells = row.split(separator: "|").map(String.init)
      if rows.updateValue(cells, forKey: cells[0]) != nil { doubled.append(cells[0]) }
    }
    var saved: [String: Set<Int>] = [:]
    for report in round.reports {
      saved[report.name, default: []].insert(report.asker)
      guard let row = rows[report.name] else {
        lost.append("\(report)")
        continue
      }
      if row[1] != report.key || row[2] != report.token {
        doubled.append("\(report), but the file has \(row)")
      }
    }
    for (name, row) in rows {
      let expected = (0..<askers).map { saved[name]?.contains($0) == true ? "1" : "0" }.joined()
      if saved[name] == nil {
        wrong.append("nobody saved \(name)")
      } else if row[3] != expected {
        lost.append("the marks of \(name) are \(row[3]), not \(expected)")
      }
    }
  }
}
