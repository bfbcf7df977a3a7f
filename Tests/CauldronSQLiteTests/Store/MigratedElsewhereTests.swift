import CauldronModel
import CauldronQuery
import CauldronStore
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

/// Another program brings the store over to another model while it is open here.
@Suite("A store that is migrated while it is open")
struct MigratedElsewhereTests {
  /// What the program with the old model does next.
  enum Use: CaseIterable, Sendable {
    case fault, rows, fetch, sortedFetch, count, ids, pin, save, reserve, reserveAtOnce, giveBack
  }

  private static func model(_ properties: PropertyDescription...) throws -> ManagedObjectModel {
    let animal = EntityDescription(
      name: "Animal", properties: [TestModels.attribute("sound", .string)])
    // Comes before the other one, so that numbers change, too.
    let more = properties.count > 1 ? [animal] : []
    return try ManagedObjectModel(
      entities: [EntityDescription(name: "Person", properties: properties)] + more)
  }

  private static func old() throws -> ManagedObjectModel {
    try model(TestModels.attribute("name", .string))
  }

  /// An open store with three people.
  private func bench() throws -> StoreBench {
    let bench = try StoreBench(try Self.old())
    for key in Int64(1)...3 { try bench.insert("Person", key, ["name": .text("p\(key)")]) }
    return bench
  }

  /// Migrates the file as another process would.
  private func migrate(_ bench: StoreBench, to model: ManagedObjectModel) throws {
    var options = SQLiteStoreOptions()
    options.migration = MigrationPermission()
    _ = try StoreOpener(file: StoreFile(bench.url), model: model, options: options).open()
  }

  private func use(_ bench: StoreBench, _ use: Use) throws {
    let person = bench.model.entity("Person")
    let reader = try bench.store.reader()
    defer { reader.finish() }
    var query = StoreQuery(entity: person)
    switch use {
    case .fault: _ = try reader.row(1, of: person)
    case .rows: _ = try reader.rows([1, 2], of: person)
    case .fetch: _ = try reader.fetch(query)
    case .sortedFetch:
      query.sort = [StoreQuery.SortKey(property: person.properties[0], ascending: true)]
      _ = try reader.fetch(query)
    case .count: _ = try reader.count(query)
    case .ids: _ = try reader.ids(query, storeNumber: 1)
    case .pin: try reader.pin()
    case .save: try bench.insert("Person", 9, ["name": .text("p9")])
    case .reserve: _ = try bench.store.reserveKeys(5, for: person)
    case .reserveAtOnce: _ = try bench.store.reserveKeysAtOnce(5, for: person)
    case .giveBack: try bench.store.returnKeys(1..<4, for: person)
    }
  }

  @Test(
    "Nothing is read or written with the old model, whatever comes first", arguments: Use.allCases)
  func stopped(_ first: Use) throws {
    let bench = try bench()
    // So that every connection is open and has its statements.
    for other in [Use.fault, .fetch, .count, .reserveAtOnce] { try use(bench, other) }
    try migrate(
      bench,
      to: try Self.model(
        TestModels.attribute("name", .string), TestModels.attribute("nick", .string)))
    let raw = RawDatabase(bench.url)
    let keys = raw.rows("SELECT * FROM Z_PRIMARYKEY")
    // The first one, and every one after it.
    for next in [first] + Use.allCases {
      let error = try failure { try use(bench, next) }
      #expect(error.code == .storeIncompatibleModel, "\(next)")
      #expect(error.message.contains("another program has migrated it"), "\(error)")
      #expect(error.hint == "Restart this program with the new version of the model.")
    }
    try bench.store.close()
    #expect(raw.rows("SELECT * FROM Z_PRIMARYKEY") == keys)
    #expect(raw.value("SELECT count(*) FROM ZPERSON") == "3")
  }

  @Test("A connection that was not open yet learns of it, too", arguments: Use.allCases)
  func cold(_ first: Use) throws {
    let bench = try bench()
    try bench.reopen()
    // No table changes.
    let name = AttributeDescription(name: "name", type: .string, versionHashModifier: "2")
    try migrate(bench, to: try Self.model(.attribute(name)))
    #expect(try failure { try use(bench, first) }.code == .storeIncompatibleModel)
  }

  @Test("Nothing goes on from rows of another time", arguments: Use.allCases)
  func restored(_ first: Use) throws {
    let bench = try bench()
    for other in [Use.fault, .fetch, .count, .reserveAtOnce] { try use(bench, other) }
    let backup = StoreBackup(of: bench.url)
    try backup.take()
    try bench.insert("Person", 4, ["name": .text("p4")])
    try backup.replaceStore()
    for next in [first] + Use.allCases {
      let error = try failure { try use(bench, next) }
      #expect(error.code == .storeFileGone, "\(next)")
      #expect(error.message.contains("another program has restored a copy of it"), "\(error)")
    }
    // Whoever opens it now goes on, and what harmless things others do is nothing to him.
    try bench.reopen()
    try use(bench, .save)
    #expect(RawDatabase(bench.url).value("SELECT count(*) FROM ZPERSON") == "4")
    RawDatabase(bench.url).run("CREATE INDEX mine ON ZPERSON (ZNAME)")
    try use(bench, .fetch)
  }

  @Test("Of two that migrate at once, the second finds it done")
  func twoAtOnce() throws {
    let bench = try bench()
    try bench.store.close()
    let model = try Self.model(
      TestModels.attribute("name", .string), TestModels.attribute("nick", .string))
    let url = bench.url
    let (count, failures) = (Locked(0), Locked<[any Error]>([]))
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        var options = SQLiteStoreOptions()
        options.migration = MigrationPermission()
        options.didMigrate = { _ in count.withLock { $0 += 1 } }
        _ = try StoreOpener(file: StoreFile(url), model: model, options: options).open()
      } catch {
        failures.withLock { $0.append(error) }
      }
    }
    #expect(failures.withLock { $0.map { "\($0)" } } == [])
    #expect(count.withLock { $0 } == 1)
    #expect(RawDatabase(url).value("SELECT count(ZNAME) FROM ZPERSON") == "3")
  }

  @Test("What does not concern the model is no reason to stop", arguments: Use.allCases)
  func index(_ first: Use) throws {
    let bench = try bench()
    for other in [Use.fault, .fetch, .count, .reserveAtOnce] { try use(bench, other) }
    let raw = RawDatabase(bench.url)
    #expect(raw.run("CREATE INDEX byName ON ZPERSON (ZNAME); UPDATE ZPERSON SET ZNAME = 'x'") == 0)
    if first != .giveBack { try use(bench, first) }
    #expect(try bench.values("Person", 1)["name"] == .text("x"))
    #expect(raw.run("DROP INDEX byName") == 0)
    try bench.insert("Person", 10, ["name": .text("p10")])
    #expect(try bench.fetch("Person").count == (first == .save ? 5 : 4))
  }
}
