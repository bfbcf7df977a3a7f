internal import CSQLite
import CauldronModel
package import CauldronStore

/// Looks through a whole store for what is wrong with it; reads only.
struct StoreVerification {
  let connection: Connection
  let metadata: StoreMetadata
  /// The model that the store is open with; nil where its own copy is all that is known.
  var model: ManagedObjectModel?
  /// Whether SQLite leaves out what takes a look at every index entry.
  var isQuick = false
  /// Whether values are decoded, too, as the classes of the model do.
  var decodesValues = false
  /// Whether Core Data wrote the rows; nil to ask the store's copy of its model.
  var isForeign: Bool?
  /// Is told what is looked at, and how far the whole has come.
  var progress: (String, Double) -> Void = { _, _ in }

  /// The most problems of the file itself that are told.
  private static let mostProblems = 20
  /// The most findings that are told.
  private static let mostFindings = 1_000

  /// Everything that was found, seen in one view of the store.
  func findings() throws -> [StoreFinding] { try verdict().findings }

  /// Everything that was found, and what could not be looked at.
  func verdict() throws -> StoreVerdict {
    // Within a migration that is tried there is a view already.
    let isAlone = !connection.isInTransaction
    try connection.registerTextCheck()
    try connection.registerTextForms()
    if isAlone { try connection.execute("BEGIN") }
    defer { if isAlone { connection.rollbackQuietly() } }
    let verdict = try self.lookedThrough()
    let isForeign = self.isForeign ?? (try? ModelCopy(connection: connection).isForeign) ?? false
    let findings = isForeign ? verdict.findings.map(\.inStoreOfCoreData) : verdict.findings
    return StoreVerdict(findings: Self.bounded(findings), note: verdict.note)
  }

  /// The first findings, and how many more there are.
  private static func bounded(_ list: [StoreFinding]) -> [StoreFinding] {
    guard list.count > mostFindings else { return list }
    let rest = list.count - mostFindings
    return list.prefix(mostFindings) + [
      StoreFinding(
        .findingsMore, "There are \(rest) more findings, which are left out.", count: rest)
    ]
  }

  private func lookedThrough() throws -> StoreVerdict {
    var list = try damage()
    if let problem = try connection.encodingProblem() {
      list.append(StoreFinding(problem.kind, "\(problem.sentence)."))
    }
    list += try guarded("Z_METADATA") {
      try MetadataVerification(connection: connection, metadata: metadata).findings
    }
    let kept = try KeptModel(connection)
    list += kept.differences(from: metadata)
    guard let model = model ?? kept.model, let planned = try? StoreSchema(model: model) else {
      list += try guarded("Z_PRIMARYKEY") { try withoutModel() }
      return StoreVerdict(findings: list, note: kept.reason)
    }
    list += try tables(planned)
    return StoreVerdict(findings: list + (self.model == nil ? kept.omissions : []))
  }

  /// What is wrong with the file itself.
  func damage() throws -> [StoreFinding] { try guarded("the file") { try pages() } }

  /// What SQLite says of the file.
  private func pages() throws -> [StoreFinding] {
    progress("pages", 0)
    let check = isQuick ? "quick_check" : "integrity_check"
    let statement = try Statement(connection.handle, "PRAGMA \(check)(\(Self.mostProblems))")
    var list: [StoreFinding] = []
    do {
      while try statement.step() {
        // Several problems come in one row, each on its line.
        for line in statement.text(0).split(separator: "\n") where line != "ok" {
          list.append(StoreFinding(.fileDamaged, "The file is damaged: \(line)."))
        }
      }
    } catch let failure as SQLiteFailure where !list.isEmpty && failure.primary == SQLITE_CORRUPT {
      // What is damaged ends the look, too, after it was told.
    }
    return list
  }

  private func tables(_ planned: StoreSchema) throws -> [StoreFinding] {
    let found = try FoundSchema(connection, planned)
    var list = found.findings
    list += try guarded("Z_PRIMARYKEY") { try numbers(found) }
    for (index, table) in found.present.enumerated() {
      progress(table.name, Double(index + 1) / Double(found.present.count + 1))
      list += try guarded(table.name) {
        try IndexVerification(connection: connection, found: found, table: table).findings
      }
      list += try guarded(table.name) {
        table.isJoin
          ? try JoinVerification(connection: connection, found: found, table: table).findings
          : try TableVerification(connection: connection, found: found, table: table).findings
      }
      list += try guarded(table.name) {
        try DerivedVerification(connection: connection, found: found, table: table).findings
      }
      guard decodesValues, !table.isJoin else { continue }
      list += try guarded(table.name) {
        try ValueVerification(connection: connection, found: found, table: table).findings
      }
    }
    return list
  }

  private func numbers(_ found: FoundSchema) throws -> [StoreFinding] {
    let numbers = try EntityNumbers(connection)
    return numbers.differences(from: found.schema) + numbers.exhausted
      + (try numbers.countersBehind { line in
        found.schema.layout(fileNumber: line.number).flatMap {
          $0.superentity != nil ? nil : found.table(of: $0)
        } ?? history(line)
      })
  }

  /// Of a store whose model nobody knows: only what every store has.
  private func withoutModel() throws -> [StoreFinding] {
    let numbers = try EntityNumbers(connection)
    return try numbers.exhausted
      + numbers.countersBehind { line in
        let table = SQLIdentifier.name(line.name)
        guard line.parent == 0 else { return nil }
        return (try? isTable(table)) == true ? SQLIdentifier.quoted(table) : history(line)
      }
  }

  private func history(_ line: EntityNumbers.Line) -> String? {
    EntityNumbers.historyTable(line).flatMap { (try? isTable($0)) == true ? $0 : nil }
  }

  private func isTable(_ name: String) throws -> Bool {
    try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
        + " AND name = \(SQLIdentifier.literal(name)) COLLATE NOCASE") == 1
  }

  /// Has what cannot be read for damage be a finding, too, after which the rest is looked at.
  private func guarded(
    _ place: String, _ body: () throws -> [StoreFinding]
  ) throws -> [StoreFinding] {
    do { return try body() } catch let failure as SQLiteFailure
      where [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].contains(failure.primary)
    {
      return [
        StoreFinding(.fileDamaged, "Looking through \(place) has failed: \(failure.message).")
      ]
    }
  }
}

/// What a look through a store has found.
package struct StoreVerdict: Sendable {
  package var findings: [StoreFinding]
  /// What could not be looked at, and why; nil where everything was.
  package var note: String?
}
