import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Stores as a whole: copied, moved, replaced, destroyed, and what they say of themselves.
@Suite(.againstHanging) struct StoreFileTests {
  private let store: DayTwo
  private let model = [EntityDescription.entity("Person", .text("name"))]
  private let target: URL

  init() throws {
    store = try DayTwo()
    target = store.url.deletingLastPathComponent().appending(path: "other.sqlite")
    try add("ann")
  }

  private func add(_ name: String) throws {
    try store.open(model) { context in
      try context.insertNewObject(forEntityName: "Person").setValue(name, forKey: "name")
    }
  }

  private func stack(_ url: URL) throws -> Stack {
    try Stack(storeURL: url, model: ManagedObjectModel(entities: model))
  }

  private func names(_ url: URL) throws -> [String] {
    let stack = try stack(url)
    defer { try? stack.close() }
    return try stack.readAndWait { context in
      try context.context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
        .compactMap { $0.value(forKey: "name") as? String }.sorted()
    }
  }

  private var files: [String] {
    let folder = store.url.deletingLastPathComponent().path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `a migration of one row speaks of a row`() throws {
    let rank = PropertyDescription.number("rank", isOptional: false, default: 3)
    try store.open([EntityDescription.entity("Person", .text("name"), rank)]) { _ in }
    let lines = store.log.lines.map(\.message).filter { $0.hasPrefix("→ Migrating") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("Person + rank (1 row, ") == true)
  }

  @Test func `a store that is in use is copied with what is in its log`() throws {
    let stack = try stack(store.url)
    try stack.saveAndWait { context in
      try context.context.insertNewObject(forEntityName: "Person").setValue("bob", forKey: "name")
    }
    try Stack.copyStore(at: store.url, to: target)
    try stack.close()
    #expect(try names(target) == ["ann", "bob"])
    #expect(
      cauldronError { try Stack.copyStore(at: store.url, to: target) }?.code == .storeCannotOpen)
  }

  @Test func `a store is moved whole, and leaves nothing behind`() throws {
    try Stack.moveStore(at: store.url, to: target)
    #expect(files == ["other.sqlite"])
    #expect(try names(target) == ["ann"])
    try add("bob")
    #expect(
      cauldronError { try Stack.moveStore(at: store.url, to: target) }?.code == .storeCannotOpen)
    #expect(try names(target) == ["ann"])
    #expect(try names(store.url) == ["bob"])
  }

  @Test func `a store is replaced by another one, and made where there is none`() throws {
    try Stack.replaceStore(at: target, withStoreAt: store.url)
    try add("bob")
    #expect(try names(target) == ["ann"])
    try Stack.replaceStore(at: target, withStoreAt: store.url)
    #expect(try names(target) == ["ann", "bob"])
    let none = store.url.deletingLastPathComponent().appending(path: "none.sqlite")
    let error = cauldronError { try Stack.replaceStore(at: target, withStoreAt: none) }
    #expect(error?.code == .storeCannotOpen)
    #expect(try names(target) == ["ann", "bob"])
  }

  @Test func `a store is destroyed, and one that is not there is no error`() throws {
    try Stack.destroyStore(at: store.url)
    #expect(files == [])
    try Stack.destroyStore(at: store.url)
    try add("bob")
    #expect(try names(store.url) == ["bob"])
  }

  @Test func `a store that is open here is neither moved, replaced nor destroyed`() throws {
    let stack = try stack(store.url)
    defer { try? stack.close() }
    for attempt in [
      { try Stack.moveStore(at: store.url, to: target) },
      { try Stack.destroyStore(at: store.url) },
      {
        try Stack.copyStore(at: store.url, to: target)
        try Stack.replaceStore(at: store.url, withStoreAt: target)
      },
    ] {
      #expect(cauldronError(#_sourceLocation, attempt)?.code == .storeAlreadyOpen)
    }
  }

  @Test func `a store that another connection has open is neither moved nor destroyed`() throws {
    let other = OtherConnection(store.url)
    #expect(other.integers("SELECT count(*) FROM ZPERSON") == [1])
    #expect(
      cauldronError { try Stack.moveStore(at: store.url, to: target) }?.code == .storeBusy)
    #expect(cauldronError { try Stack.destroyStore(at: store.url) }?.code == .storeBusy)
    #expect(other.integers("SELECT count(*) FROM ZPERSON") == [1])
  }

  @Test func `what is no store is left alone`() throws {
    try Data("hello, this is a text".utf8).write(to: target)
    for attempt in [
      { try Stack.destroyStore(at: target) },
      { try Stack.moveStore(at: target, to: target.appendingPathExtension("x")) },
      { try Stack.replaceStore(at: store.url, withStoreAt: target) },
      { _ = try Stack.metadata(ofStoreAt: target) },
    ] {
      #expect(cauldronError(#_sourceLocation, attempt)?.code == .storeNotADatabase)
    }
    #expect(try String(contentsOf: target, encoding: .utf8) == "hello, this is a text")
    #expect(try names(store.url) == ["ann"])
  }

  @Test func `metadata have the store's entries and the program's, which alone are written`() throws
  {
    let before = try Stack.metadata(ofStoreAt: store.url)
    #expect(before["NSStoreType"] as? String == "SQLite")
    let hashes = before["NSStoreModelVersionHashes"] as? [String: Data]
    #expect(hashes?["Person"]?.count == 32)
    var metadata = before
    metadata["seeded"] = true
    metadata["note"] = "made by hand"
    metadata["NSStoreType"] = "XML"
    try Stack.setMetadata(metadata, forStoreAt: store.url)
    try add("bob")
    let after = try Stack.metadata(ofStoreAt: store.url)
    #expect(after["seeded"] as? Bool == true)
    #expect(after["note"] as? String == "made by hand")
    #expect(after["NSStoreType"] as? String == "SQLite")
    #expect(after["NSStoreUUID"] as? String == before["NSStoreUUID"] as? String)
    try Stack.setMetadata(["note": "alone"], forStoreAt: store.url)
    let last = try Stack.metadata(ofStoreAt: store.url)
    #expect(last["seeded"] == nil && last["note"] as? String == "alone")
    #expect(last.count == before.count + 1)
  }

  @Test func `metadata of an open store are written beside its saves`() throws {
    let stack = try stack(store.url)
    try Stack.setMetadata(["note": "while open"], forStoreAt: store.url)
    try stack.saveAndWait { context in
      try context.context.insertNewObject(forEntityName: "Person").setValue("bob", forKey: "name")
    }
    try stack.close()
    #expect(try Stack.metadata(ofStoreAt: store.url)["note"] as? String == "while open")
    #expect(try names(store.url) == ["ann", "bob"])
    let error = cauldronError {
      try Stack.setMetadata(["note": NSObject()], forStoreAt: store.url)
    }
    #expect(error?.code == .storeUnsupported)
  }

  /// SQLite would read a log that is left of another store into the one that comes.
  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `a place with a log of another store is not free`(_ ending: String) throws {
    let log = target.path + ending
    try Data("left".utf8).write(to: URL(filePath: log))
    for attempt in [
      { try Stack.moveStore(at: store.url, to: target) },
      { try Stack.copyStore(at: store.url, to: target) },
    ] {
      let error = cauldronError(#_sourceLocation, attempt)
      #expect(error?.code == .storeCannotOpen && error?.message.contains(log) == true)
    }
    #expect(!files.contains("other.sqlite"))
    #expect(try names(store.url) == ["ann"])
  }

  @Test func `a database of another library is not replaced`() throws {
    try Data().write(to: target)
    let other = OtherConnection(target)
    #expect(other.run("CREATE TABLE t (a)"))
    #expect(other.run("INSERT INTO t VALUES (7)"))
    let error = cauldronError { try Stack.replaceStore(at: target, withStoreAt: store.url) }
    #expect(error?.code == .storeForeignDatabase)
    #expect(other.integers("SELECT a FROM t") == [7])
  }

  @Test func `a symbolic link stands for the store that it leads to`() throws {
    try FileManager.default.createSymbolicLink(at: target, withDestinationURL: store.url)
    try Stack.destroyStore(at: target)
    #expect(!FileManager.default.fileExists(atPath: store.url.path))
    // It leads nowhere now, and takes the place nevertheless.
    try add("bob")
    let error = cauldronError { try Stack.copyStore(at: store.url, to: target) }
    #expect(error?.code == .storeCannotOpen)
    #expect(try names(store.url) == ["bob"])
  }

  @Test func `metadata that could not be read again are refused`() throws {
    var deep: [Any] = []
    for _ in 0..<150 { deep = [deep] }
    for value in [deep, Array(0...100_001), Data(count: 17 << 20)] as [Any] {
      let error = cauldronError { try Stack.setMetadata(["note": value], forStoreAt: store.url) }
      #expect(error?.code == .storeUnsupported)
    }
    #expect(try names(store.url) == ["ann"])
  }
}
