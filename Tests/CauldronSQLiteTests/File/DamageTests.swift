import CauldronModel
import CauldronQuery
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("A damaged store")
struct DamageTests {
  @Test("A damaged page is an error of the read that meets it")
  func page() throws {
    let bench = try StoreBench(entity: "Person", [("text", .string)])
    let rows = (1...200).map {
      bench.factory.row("Person", $0, ["text": .text(String(repeating: "x", count: 1_000))])
    }
    try bench.insert(rows)
    try bench.store.close()
    let root = Int(
      RawDatabase(bench.url).value("SELECT rootpage FROM sqlite_master WHERE name = 'ZPERSON'"))
    let offset = (try #require(root) - 1) * 4096
    var data = try Data(contentsOf: bench.url)
    data.replaceSubrange(offset..<(offset + 4096), with: Data(repeating: 0xAB, count: 4096))
    try data.write(to: bench.url)
    let store = try SQLiteStore.open(url: bench.url, model: bench.model, storeNumber: 1)
    let reader = try store.reader()
    let query = StoreQuery(entity: bench.model.entity("Person"))
    let error = try failure { _ = try reader.fetch(query) }
    #expect(error.code == .storeCorrupt)
    #expect(
      error.message.hasPrefix(
        "Cannot read Person in \"\(bench.url.path)\": the database is damaged (SQLite")
    )
    #expect(
      error.description.hasSuffix(
        "Restore a copy with `cauldron restore`, or try `.recover` of the sqlite3 program."))
    reader.finish()
    let set = bench.changes(inserted: [bench.factory.row("Person", 900)])
    let refusal = try failure {
      _ = try store.save(SavePlan([set], storeNumber: 1), willCommit: {})
    }
    #expect(refusal.code == .storeCorrupt)
    try store.close()
  }

  @Test("Whatever bytes a store holds, opening and reading give rows or an error")
  func mutants() throws {
    let bench = try StoreBench(try TestModels.people())
    var people = RandomPeople(seed: 3)
    let rows = (1...60).map { people.row($0) }
    let companies = (1...30).map { bench.factory.row("Company", $0) }
    try bench.insert(companies + rows.map { bench.factory.row($0.entity, $0.key, $0.values) })
    try bench.store.close()
    let original = try Data(contentsOf: bench.url)
    var generator = SeededGenerator(seed: 5)
    var errors = 0
    for round in 0..<300 {
      var data = original
      for _ in 0..<(1 + round % 8) {
        data[Int.random(in: 0..<data.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let url = bench.directory.file("mutant\(round).sqlite")
      try data.write(to: url)
      do {
        try Self.readAll(url, bench.model)
      } catch is CauldronError {
        errors += 1
      }
      try FileManager.default.removeItem(at: url)
    }
    #expect(errors > 0)
  }

  private static func readAll(_ url: URL, _ model: ManagedObjectModel) throws {
    let store = try SQLiteStore.open(url: url, model: model, storeNumber: 1)
    let reader = try store.reader()
    defer { reader.finish() }
    for layout in model.layouts {
      _ = try reader.fetch(StoreQuery(entity: layout)).map { row in
        model.layouts[Int(row.entityNumber) - 1].values(of: row)
      }
    }
  }
}
