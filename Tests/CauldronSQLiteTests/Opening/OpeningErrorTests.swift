import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("Opening what is no store")
struct OpeningErrorTests {
  private let directory: TemporaryDirectory
  private var url: URL { directory.file("x.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  private func open(
    _ url: URL? = nil, _ model: ManagedObjectModel? = nil,
    _ options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws -> SQLiteStore {
    try SQLiteStore.open(
      url: url ?? self.url, model: try model ?? TestModels.people(), storeNumber: 1,
      options: options)
  }

  /// The error of opening a file, which must stay as it is, with nothing beside it.
  private func errorOfUntouched(_ model: ManagedObjectModel? = nil) throws -> CauldronError {
    let before = try Data(contentsOf: url)
    let error = try failure { _ = try open(nil, model) }
    #expect(try Data(contentsOf: url) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names == ["x.sqlite"])
    return error
  }

  @Test("A directory is refused")
  func isDirectory() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    let error = try failure { _ = try open() }
    #expect(error.code == .storeCannotOpen)
    #expect(error.description == "Cannot open store \"\(url.path)\": it is a directory.")
    #expect(error.path == url.path)
  }

  /// SQLite itself looks for ten seconds whether the directory has gone.
  @Test("A directory where SQLite keeps a log is refused at once", arguments: ["-wal", "-shm"])
  func isDirectoryBeside(_ ending: String) throws {
    try open().close()
    let path = url.path + ending
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let error = try failure { _ = try open() }
    #expect(error.code == .storeCannotOpen)
    #expect(
      error.description == "Cannot open store \"\(url.path)\": \"\(path)\" is a directory. Move it"
        + " away.")
  }

  @Test("A directory where SQLite keeps a log is refused without the file, and by a restoration")
  func isDirectoryBesideNothing() throws {
    try open().close()
    let copy = directory.file("copy.sqlite")
    try StoreBackup(of: url, at: copy).take()
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + ending)
    }
    let path = url.path + "-shm"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let opening = try failure { _ = try open() }
    #expect(opening.message.hasSuffix("\"\(path)\" is a directory."))
    let restoration = try failure { try StoreBackup(of: url, at: copy).restore() }
    #expect(restoration.message == opening.message)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test("A missing directory is refused, or made if that is asked for")
  func missingDirectory() throws {
    let parent = directory.file("a/b")
    let url = parent.appending(path: "x.sqlite")
    let error = try failure { _ = try open(url) }
    #expect(error.code == .storeCannotOpen)
    #expect(
      error.description == "Cannot open store \"\(url.path)\": directory \"\(parent.path)\" does"
        + " not exist. Create it, or set createDirectory in the configuration.")
    try open(url, nil, SQLiteStoreOptions(createDirectory: true)).close()
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test("A file in the place of the directory is refused")
  func fileAsDirectory() throws {
    try Data().write(to: directory.file("a"))
    let error = try failure { _ = try open(directory.file("a/x.sqlite")) }
    #expect(error.code == .storeCannotOpen)
    #expect(error.message.hasSuffix("a\" is not a directory."))
  }

  @Test("A file that is not SQLite is refused", arguments: [1, 15, 16, 100, 511, 512, 5_000])
  func notADatabase(size: Int) throws {
    try Data(repeating: 65, count: size).write(to: url)
    let error = try errorOfUntouched()
    #expect(error.code == .storeNotADatabase)
    #expect(
      error.description == "Cannot open store \"\(url.path)\": the file is not a SQLite database"
        + " (16-byte header differs). The file was not changed.")
  }

  @Test("A database of another program is refused", arguments: ["DELETE", "WAL"])
  func foreign(mode: String) throws {
    RawDatabase(url).run("PRAGMA journal_mode=\(mode); CREATE TABLE t (x); INSERT INTO t VALUES(1)")
    let error = try errorOfUntouched()
    #expect(error.code == .storeForeignDatabase)
    #expect(
      error.description == "Cannot open store \"\(url.path)\": it is a SQLite database without"
        + " object-store metadata.")
  }

  @Test("A store without its row of metadata is refused")
  func noMetadata() throws {
    try open().close()
    RawDatabase(url).run("DELETE FROM Z_METADATA")
    #expect(try errorOfUntouched().code == .storeForeignDatabase)
  }

  @Test("Metadata that cannot be read are refused")
  func badMetadata() throws {
    try open().close()
    RawDatabase(url).run("UPDATE Z_METADATA SET Z_PLIST = x'00'")
    #expect(try errorOfUntouched().code == .storeCorrupt)
  }

  @Test("A store of another model is refused with the entities that differ")
  func incompatible() throws {
    let thing = EntityDescription(name: "Thing", properties: [])
    let old = try ManagedObjectModel(
      entities: [thing, EntityDescription(name: "Pet", properties: [])],
      versionIdentifiers: ["V2"])
    try open(nil, old).close()
    let pet = EntityDescription(name: "Pet", properties: [TestModels.attribute("name", .string)])
    let new = try ManagedObjectModel(entities: [thing, pet], name: "V3")
    let error = try errorOfUntouched(new)
    #expect(error.code == .storeIncompatibleModel)
    #expect(
      error.description
        == "Cannot open \"\(url.path)\" with model \"V3\": entities that differ: Pet"
        + " (name: String in the model, not in the store). Open it with the model that wrote it"
        + " (\"V2\").")
    #expect(error.property == "name")
  }

  @Test("A store whose tables are not those of its model is refused")
  func tables() throws {
    try open().close()
    for statement in [
      "ALTER TABLE ZCOMPANY RENAME COLUMN ZRATING TO ZGRADE",
      "ALTER TABLE ZCOMPANY RENAME TO ZFIRM; CREATE VIEW ZCOMPANY AS SELECT * FROM ZFIRM",
      "UPDATE Z_PRIMARYKEY SET Z_ENT = 77 WHERE Z_NAME = 'Passport'",
      "DELETE FROM Z_PRIMARYKEY",
    ] {
      #expect(RawDatabase(url).run(statement) == 0)
      #expect(try failure { _ = try open() }.code == .storeCorrupt)
    }
  }

  @Test(
    "The remedy is that for what is missing",
    arguments: [
      ("DROP TABLE ZCOMPANY", "table ZCOMPANY is missing", "Restore a copy that has it"),
      (
        "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Passport'",
        "Z_PRIMARYKEY has no row for Passport",
        "Write the row again"
      ),
      (
        "ALTER TABLE ZCOMPANY RENAME COLUMN ZRATING TO ZGRADE",
        "table ZCOMPANY has no column ZRATING", "Open it with the program that made it"
      ),
    ])
  func remedy(statement: String, what: String, hint: String) throws {
    try open().close()
    #expect(RawDatabase(url).run(statement) == 0)
    let error = try failure { _ = try open() }
    #expect(error.code == .storeCorrupt)
    #expect(error.message == "Cannot open store \"\(url.path)\": \(what).")
    #expect(error.hint.hasPrefix(hint), "\(error.hint)")
  }

  @Test("A file that ends too early is damaged")
  func truncated() throws {
    let store = try open()
    try store.close()
    try Data(contentsOf: url).prefix(8192).write(to: url)
    let error = try errorOfUntouched()
    #expect(error.code == .storeCorrupt)
    #expect(
      error.hint
        == "Restore a copy with `cauldron restore`, or try `.recover` of the sqlite3 program.")
    #expect(error.sqliteCode.map { $0 & 0xFF } == 11)
  }

  @Test("A store can be open only once in a process, under whatever path")
  func alreadyOpen() throws {
    let store = try open()
    let link = directory.file("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    for url in [url, link] {
      let error = try failure { _ = try open(url) }
      #expect(error.code == .storeAlreadyOpen)
      #expect(
        error.description == "Store \"\(url.path)\" is already open in this process."
          + " Use that stack.")
    }
    try store.close()
    try open(link).close()
  }
}
