import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// What is lost with permission can be had back, and what cannot be used is kept.
@Suite(.againstHanging) struct BackupTests {
  private let person = EntityDescription.entity("Person", .text("name"), .text("fax"))
  private let less = EntityDescription.entity("Person", discards: ["fax: String"], .text("name"))

  /// A store whose people have lost their fax.
  private func migrated() throws -> DayTwo {
    let store = try DayTwo()
    try store.open([person]) { context in
      for number in 0..<3 {
        let jack = try context.insertNewObject(forEntityName: "Person")
        try jack.setValue("p\(number)", forKey: "name")
        try jack.setValue("f\(number)", forKey: "fax")
      }
    }
    try store.open([less]) { context in
      let more = try context.insertNewObject(forEntityName: "Person")
      try more.setValue("p3", forKey: "name")
    }
    return store
  }

  private func texts(_ key: String, _ context: ManagedObjectContext) throws -> [String] {
    let all = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    return all.compactMap { $0.value(forKey: key) as? String }.sorted()
  }

  private func names(beside store: DayTwo) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: store.url.deletingLastPathComponent().path
    ).sorted()
  }

  @Test func `a copy is restored as often as one likes`() throws {
    let store = try migrated()
    for _ in 0..<2 {
      try Stack.restoreBackup(storeURL: store.url)
      try store.open([person], .never) { context in
        let (faxes, names) = (try texts("fax", context), try texts("name", context))
        #expect(faxes == ["f0", "f1", "f2"])
        #expect(names == ["p0", "p1", "p2"])
      }
    }
    #expect(try names(beside: store) == ["people.backup.sqlite", "people.sqlite"])
  }

  @Test func `a store that is gone or damaged is made anew from its copy`() throws {
    let store = try migrated()
    try FileManager.default.removeItem(at: store.url)
    try Stack.restoreBackup(storeURL: store.url)
    #expect(try store.open([person], .never) { try texts("fax", $0).count } == 3)
    try Data(repeating: 7, count: 10_000).write(to: store.url)
    try Stack.restoreBackup(storeURL: store.url)
    #expect(try store.open([person], .never) { try texts("fax", $0).count } == 3)
    #expect(
      try names(beside: store)
        == ["people.backup.sqlite", "people.set-aside.sqlite", "people.sqlite"])
  }

  @Test func `without a whole copy, and while it is open, the store stays as it is`() throws {
    let store = try migrated()
    let copy = Stack.backupURL(storeURL: store.url)
    #expect(copy.lastPathComponent == "people.backup.sqlite")
    let before = try Data(contentsOf: store.url)
    func code() -> CauldronError.Code? {
      #expect(throws: CauldronError.self) { try Stack.restoreBackup(storeURL: store.url) }?.code
    }
    try store.open([less]) { _ in #expect(code() == .storeAlreadyOpen) }
    var bytes = try Data(contentsOf: copy)
    // The first cell of the first table, far behind the header.
    bytes.replaceSubrange(4096..<bytes.count, with: Data(count: bytes.count - 4096))
    try bytes.write(to: copy)
    #expect(code() == .storeCorrupt)
    try Data("no database".utf8).write(to: copy)
    #expect(code() == .storeNotADatabase)
    try FileManager.default.removeItem(at: copy)
    #expect(code() == .storeNoBackup)
    #expect(try Data(contentsOf: store.url) == before)
  }

  @Test func `a store that cannot be brought over is moved aside where that is asked for`() throws {
    let store = try migrated()
    let other = EntityDescription.entity("Animal", .text("name"))
    try store.open([other], .backUpAndRecreate) { context in
      _ = try context.insertNewObject(forEntityName: "Animal")
    }
    let line = store.log.lines.first { $0.message.hasPrefix("Set the store aside") }
    #expect(line?.message.contains("people.set-aside.sqlite") == true)
    #expect(line?.message.contains("All objects of Person would be lost") == true)
    let aside = store.url.deletingLastPathComponent().appending(path: "people.set-aside.sqlite")
    #expect(OtherConnection(aside).integers("SELECT count(*) FROM ZPERSON") == [4])
    // What can be brought over is.
    let more = EntityDescription.entity("Animal", .text("name"), .number("age"))
    let animals = FetchRequest<ManagedObject>(entityName: "Animal")
    #expect(try store.open([more], .backUpAndRecreate) { try $0.count(for: animals) } == 1)
    try Data(repeating: 7, count: 10_000).write(to: store.url)
    #expect(try store.open([more], .backUpAndRecreate) { try $0.count(for: animals) } == 0)
    #expect(try names(beside: store).contains("people.set-aside-2.sqlite"))
  }

  @Test func `a migration that fails leaves the copy that was there`() throws {
    let store = try migrated()
    let copy = Stack.backupURL(storeURL: store.url)
    let before = try Data(contentsOf: copy)
    struct Refusal: Error {}
    let step = MigrationStep("fail") { _ in throw Refusal() }
    let next = EntityDescription.entity("Person", .text("name"), .text("mail"))
    #expect(
      store.refusal([next], .plan(MigrationPlan(steps: [step])))?.code == .migrationStepFailed)
    #expect(try Data(contentsOf: copy) == before)
    #expect(try names(beside: store) == ["people.backup.sqlite", "people.sqlite"])
    // Nor is there one where there was none.
    try FileManager.default.removeItem(at: copy)
    #expect(store.refusal([next], .plan(MigrationPlan(steps: [step]))) != nil)
    #expect(try names(beside: store) == ["people.sqlite"])
  }

  @Test func `a copy that a killed migration has made does not take the place of the last`() throws
  {
    let store = try migrated()
    let copy = Stack.backupURL(storeURL: store.url)
    let former = copy.appendingPathExtension("former")
    try FileManager.default.copyItem(at: copy, to: former)
    try FileManager.default.removeItem(at: copy)
    try FileManager.default.copyItem(at: store.url, to: copy)
    struct Refusal: Error {}
    let step = MigrationStep("fail") { _ in throw Refusal() }
    #expect(store.refusal([less], .plan(MigrationPlan(steps: [step]))) != nil)
    try Stack.restoreBackup(storeURL: store.url)
    #expect(try store.open([person], .never) { try texts("fax", $0).count } == 3)
    #expect(try names(beside: store) == ["people.backup.sqlite", "people.sqlite"])
  }

  @Test func `a log line about a store set aside has no values`() throws {
    let store = try DayTwo()
    try store.open([person]) { context in
      for _ in 0..<2 {
        let jack = try context.insertNewObject(forEntityName: "Person")
        try jack.setValue("secret", forKey: "fax")
      }
    }
    let unique = EntityDescription.entity("Person", unique: [["fax"]], .text("name"), .text("fax"))
    try store.open([unique], .backUpAndRecreate) { _ in }
    let line = store.log.lines.first { $0.message.hasPrefix("Set the store aside") }
    #expect(line?.message.contains("fax has become unique, and 1 values are there more") == true)
    #expect(line?.message.contains("secret") == false)
  }

  @Test func `a copy of another store is not taken for one`() throws {
    let store = try migrated()
    let other = try migrated()
    let copy = Stack.backupURL(storeURL: store.url)
    try FileManager.default.removeItem(at: copy)
    try FileManager.default.copyItem(at: Stack.backupURL(storeURL: other.url), to: copy)
    let error = #expect(throws: CauldronError.self) {
      try Stack.restoreBackup(storeURL: store.url)
    }
    #expect(error?.code == .storeForeignDatabase)
    #expect(error?.message.contains("is a copy of another store") == true)
  }

  @Test func `a copy that cannot be marked leaves the store as it is`() throws {
    let store = try migrated()
    let copy = Stack.backupURL(storeURL: store.url)
    // Nothing that is longer than what is there can be written.
    #expect(
      OtherConnection(copy).run(
        """
        ALTER TABLE Z_METADATA RENAME TO Z_BEFORE;
        CREATE TABLE Z_LIMIT AS SELECT length(Z_PLIST) AS most FROM Z_BEFORE;
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB,
          MOST INTEGER, CHECK (length(Z_PLIST) <= MOST));
        INSERT INTO Z_METADATA SELECT Z_VERSION, Z_UUID, Z_PLIST, most FROM Z_BEFORE, Z_LIMIT;
        DROP TABLE Z_BEFORE;
        DROP TABLE Z_LIMIT
        """))
    #expect(throws: CauldronError.self) { try Stack.restoreBackup(storeURL: store.url) }
    #expect(try store.open([less], .never) { try texts("name", $0).count } == 4)
    #expect(try names(beside: store) == ["people.backup.sqlite", "people.sqlite"])
  }

  @Test func `a trigger does not keep a copy from being marked and restored`() throws {
    let store = try migrated()
    let trigger = "CREATE TRIGGER x BEFORE UPDATE ON Z_METADATA BEGIN SELECT raise(ignore); END"
    #expect(OtherConnection(Stack.backupURL(storeURL: store.url)).run(trigger))
    try Stack.restoreBackup(storeURL: store.url)
    #expect(try names(beside: store).contains("people.sqlite"))
  }

  @Test func `an entity of any name is restored`() throws {
    let store = try DayTwo()
    let entity = EntityDescription.entity("_restored", .text("name"))
    try store.open([entity]) { _ = try $0.insertNewObject(forEntityName: "_restored") }
    try FileManager.default.copyItem(at: store.url, to: Stack.backupURL(storeURL: store.url))
    try store.open([entity]) { _ = try $0.insertNewObject(forEntityName: "_restored") }
    try Stack.restoreBackup(storeURL: store.url)
    let count = try store.open([entity]) { context in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "_restored")).count
    }
    #expect(count == 1)
  }

  @Test func `a copy with pages of another size is restored`() throws {
    let store = try migrated()
    let copy = Stack.backupURL(storeURL: store.url)
    let other = copy.deletingLastPathComponent().appending(path: "other.sqlite")
    #expect(
      OtherConnection(copy).run("PRAGMA page_size = 8192; VACUUM INTO '\(other.path)'"))
    try FileManager.default.removeItem(at: copy)
    try FileManager.default.moveItem(at: other, to: copy)
    #expect(OtherConnection(copy).integers("PRAGMA page_size") == [8192])
    try Stack.restoreBackup(storeURL: store.url)
    #expect(try store.open([person], .never) { try texts("fax", $0).count } == 3)
    #expect(try names(beside: store) == ["people.backup.sqlite", "people.sqlite"])
  }

  @Test func `what belongs to somebody else is not moved`() throws {
    let store = try DayTwo()
    try Data().write(to: store.url)
    #expect(OtherConnection(store.url).run("CREATE TABLE notes (text)"))
    #expect(store.refusal([person], .backUpAndRecreate)?.code == .storeForeignDatabase)
    #expect(try names(beside: store) == ["people.sqlite"])
  }
}
