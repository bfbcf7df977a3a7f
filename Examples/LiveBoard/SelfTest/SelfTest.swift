import Foundation

/// Does what a visitor of the page does, and tells what the stream has received. Wherever the rows
/// that the changes lead to are not those of the server, it ends with an error.
struct SelfTest {
  private let importCount: Int
  private var reader: BoardReader

  init(_ address: URL, importing count: Int) {
    importCount = count
    reader = BoardReader(address)
  }

  func run() async throws {
    var test = self
    try await test.connect()
    try await test.bringIn()
    try await test.search()
    try await test.throwAway()
    try await test.save()
    tell("all rows that the changes lead to are those of the server")
  }

  private mutating func connect() async throws {
    try await reader.read(until: "the list is there") { $0.version > 0 && $0.pulse != nil }
    try await reader.compare()
    tell("connected: \(reader.replica.count) people in \(reader.replica.sectionCount) sections")
  }

  private mutating func bringIn() async throws {
    let total = reader.replica.count + importCount
    reader.tally = .init()
    try await reader.client.send("POST", "import", ["count": "\(importCount)"])
    try await reader.read(until: "all are imported") {
      $0.replica.count == total && $0.pulse?.progress?.isRunning == false
        && $0.pulse?.counts.people == total
    }
    try await reader.compare()
    let stall = String(format: "%.1f", reader.pulse?.longestStall ?? 0)
    tell("imported \(importCount): \(reader.tally)")
    tell("longest stall of the main queue meanwhile: \(stall) ms")
  }

  private mutating func search() async throws {
    let total = reader.replica.count
    for text in ["b", "be", "ber", "berg"] {
      try await reader.client.send("POST", "search", ["text": text])
    }
    try await reader.read(until: "the search has ended") { $0.replica.count < total }
    try await reader.settle()
    try await reader.compare()
    tell("searched \"berg\": \(reader.replica.count) of \(total) people")
    try await reader.client.send("POST", "search", ["text": ""])
    try await reader.read(until: "all are shown again") { $0.replica.count == total }
    try await reader.compare()
    tell("searched nothing: \(reader.replica.count) people")
  }

  private mutating func throwAway() async throws {
    reader.tally = .init()
    let row = try await row(in: 2)
    let fields = try await reader.client.edit(row, PersonChange(name: "Zuzana Probe"))
    try await reader.settle()
    guard fields.name == "Zuzana Probe", fields.unsaved == ["name"], reader.tally.updates == 0
    else { throw WrongAnswer("The session shows \(fields), the list had \(reader.tally).") }
    tell("edited \(row.name) in a session: the list keeps the name")
    try await reader.client.send("DELETE", "session")
    try await reader.settle()
    try await reader.compare()
    tell("thrown away: \(reader.tally)")
  }

  private mutating func save() async throws {
    reader.tally = .init()
    let row = try await row(in: 3)
    let lines = reader.log.count
    _ = try await reader.client.edit(row, PersonChange(name: "Zuzana Probe"))
    try await reader.client.send("POST", "session/save")
    try await reader.read(until: "the new name is saved") {
      $0.tally.moves == 1 && $0.saved(since: lines).count == 3
    }
    try await reader.compare()
    tell("saved \(row.name) as Zuzana Probe: \(reader.tally)")
    for level in reader.saved(since: lines) { tell("  \(level)") }
  }

  /// A row so many quarters down the list.
  private func row(in quarter: Int) async throws -> Row {
    let place = reader.replica.count * quarter / 4
    let rows = try await reader.client.rows(of: reader.version, from: place, count: 1)
    guard let row = rows.first else { throw WrongAnswer("There is no row \(place).") }
    return row
  }
}

extension BoardReader {
  /// Reads on until what was sent up to half a second from now has come.
  fileprivate mutating func settle() async throws {
    let end = Date(timeIntervalSinceNow: 0.5)
    try await read(until: "a heartbeat came") { $0.pulse.map { $0.time > end } ?? false }
  }

  /// The levels that have saved since a line of the log, without addresses.
  fileprivate func saved(since line: Int) -> [String] {
    log.dropFirst(line).map(\.text).filter { $0.hasPrefix("→ Saving") }
      .map { $0.replacing(/\s\(0x[0-9a-f]+\)/, with: "") }
  }
}

extension BoardReader.Tally: CustomStringConvertible {
  var description: String {
    let parts = [
      (insertions, "insertion"), (deletions, "deletion"), (moves, "move"), (changes, "update"),
      (reloads, "reload"),
    ]
    let told = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    let what = told.isEmpty ? "nothing" : told.joined(separator: ", ")
    return "\(what) in \(updates) version\(updates == 1 ? "" : "s")"
  }
}
