import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport
import Testing

/// Tables whose declaration other programs have altered, or that have triggers of theirs.
@Suite struct AlteredTableTests {
  private let file: NumberedFile
  private static let columns = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

  init() throws {
    file = try NumberedFile()
    try file.open(Self.model()) { context in
      for name in ["x0", "x1", "x2"] { try context.make("Person", name) }
      let group = try context.make("Group", "g")
      try context.named("Person")["x2"]?.setValue([group], forKey: "groups")
    }
  }

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string)),
          .relationship(
            RelationshipDescription(
              name: "groups", destination: "Group", inverse: "people", isToMany: true)),
        ]),
      EntityDescription(
        name: "Group",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string)),
          .relationship(
            RelationshipDescription(
              name: "people", destination: "Person", inverse: "groups", isToMany: true)),
        ]),
    ])
  }

  private var stack: Stack {
    get throws {
      var configuration = StackConfiguration()
      configuration.logger.logLevel = .critical
      return try Stack(
        storeURL: file.url, model: Self.model(), configuration: configuration)
    }
  }

  private func alter(_ sql: String) { #expect(OtherConnection(file.url).run(sql), "\(sql)") }

  /// Puts the rows of persons into a table of other columns.
  private func declare(_ columns: String) {
    alter(
      """
      CREATE TABLE T2 (\(columns)); INSERT INTO T2 SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZPERSON;
      DROP TABLE ZPERSON; ALTER TABLE T2 RENAME TO ZPERSON
      """)
  }

  private var names: [String] {
    OtherConnection(file.url).texts("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK")
  }

  /// Saves what the body does; answers the error.
  private func failure(_ body: (LocalContext) throws -> Void) throws -> CauldronError? {
    let stack = try stack
    let context = stack.newBackgroundContext()
    try context.performAndWait(body)
    let error = #expect(throws: CauldronError.self) {
      try context.saveAndWait(toPersistentStore: true)
    }
    context.performAndWait { $0.context.rollback() }
    try stack.close()
    return error
  }

  @Test(arguments: ["insert", "update", "delete"])
  func `a save whose row a trigger drops in silence is refused, and names the trigger`(
    event: String
  ) throws {
    alter("CREATE TRIGGER x BEFORE \(event) ON ZPERSON BEGIN SELECT raise(ignore); END")
    let error = try failure { context in
      let people = try context.named("Person")
      // Another row that the file takes is not committed either.
      try context.make("Group", "new")
      switch event {
      case "insert": try context.make("Person", "x3")
      case "update": try people["x0"]?.setValue("u", forKey: "name")
      default: people["x1"]?.delete()
      }
    }
    #expect(error?.code == .storeCorrupt)
    #expect(error?.message.contains("the trigger \"x\"") == true, "\(error?.message ?? "")")
    #expect(names == ["x0", "x1", "x2"])
    #expect(OtherConnection(file.url).texts("SELECT ZNAME FROM ZGROUP") == ["g"])
  }

  @Test func `many rows that a trigger drops are refused`() throws {
    alter(
      "CREATE TRIGGER x BEFORE INSERT ON ZPERSON WHEN new.Z_PK % 100 = 7"
        + " BEGIN SELECT raise(ignore); END")
    let error = try failure { context in
      for number in 0..<2_000 { try context.make("Person", "n\(number)") }
    }
    #expect(error?.code == .storeCorrupt)
    #expect(names.count == 3)
  }

  @Test(arguments: ["INSERT", "DELETE"])
  func `a link that a trigger drops is refused`(event: String) throws {
    let tables = OtherConnection(file.url).texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    let table = try #require(tables.first)
    alter("CREATE TRIGGER x BEFORE \(event) ON \(table) BEGIN SELECT raise(ignore); END")
    let links = OtherConnection(file.url).integers("SELECT count(*) FROM \(table)")
    let error = try failure { context in
      let group = try #require(try context.named("Group")["g"])
      let person = try context.named("Person")[event == "INSERT" ? "x0" : "x2"]
      try person?.setValue(event == "INSERT" ? [group] : [ManagedObject](), forKey: "groups")
    }
    #expect(error?.code == .storeCorrupt)
    #expect(OtherConnection(file.url).integers("SELECT count(*) FROM \(table)") == links)
  }

  @Test(arguments: ["IGNORE", "REPLACE"])
  func `a rule of the table that drops rows fails as a constraint does`(
    resolution: String
  ) throws {
    declare("\(Self.columns), ZNAME VARCHAR, UNIQUE (ZNAME) ON CONFLICT \(resolution)")
    let insertion = try failure { try $0.make("Person", "x1") }
    #expect(insertion?.code == .saveConstraint)
    let update = try failure { try $0.named("Person")["x0"]?.setValue("x1", forKey: "name") }
    #expect(update?.code == .saveConstraint)
    #expect(names == ["x0", "x1", "x2"])
  }

  @Test func `a key counter that takes no key is named as what it is`() throws {
    alter("CREATE TRIGGER x BEFORE UPDATE ON Z_PRIMARYKEY BEGIN SELECT raise(ignore); END")
    let error = try failure { try $0.make("Person", "x3") }
    #expect(error?.code == .storeCorrupt)
    #expect(error?.message.contains("the trigger \"x\"") == true, "\(error?.message ?? "")")
    #expect(names == ["x0", "x1", "x2"])
  }

  @Test(arguments: [
    ("Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR", "no primary key"),
    ("Z_PK VARCHAR, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR", "no integer"),
    ("\(columns.replacing("Z_ENT INTEGER", with: "Z_ENT VARCHAR")), ZNAME VARCHAR", "Z_ENT"),
    ("\(columns.replacing("Z_OPT INTEGER", with: "Z_OPT VARCHAR")), ZNAME VARCHAR", "Z_OPT"),
    ("\(columns), ZNAME INTEGER", "ZNAME of ZPERSON is declared INTEGER instead of VARCHAR"),
    ("\(columns), ZNAME REAL", "ZNAME of ZPERSON is declared REAL instead of VARCHAR"),
    ("\(columns), ZNAME VARCHAR COLLATE NOCASE", "compared by NOCASE"),
  ])
  func `a table that would lie is not opened, and says why`(
    columns: String, words: String
  ) throws {
    declare(columns)
    let error = #expect(throws: CauldronError.self) { _ = try stack }
    #expect(error?.code == .storeUnsupported)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(names == ["x0", "x1", "x2"])
  }

  @Test(arguments: ["CLOB", "CHAR(3)", "TEXT", "", "VARCHAR COLLATE BINARY"])
  func `a column that keeps what is written is taken as it is`(type: String) throws {
    declare("\(Self.columns), ZNAME \(type)")
    try stack.close()
  }

  @Test func `a view or a virtual table in the place of a table is refused as such`() throws {
    alter("ALTER TABLE ZPERSON RENAME TO T2; CREATE VIEW ZPERSON AS SELECT * FROM T2")
    let view = #expect(throws: CauldronError.self) { _ = try stack }
    #expect(view?.message.contains("a view is in the place of the table ZPERSON") == true)
    alter("DROP VIEW ZPERSON; CREATE VIRTUAL TABLE ZPERSON USING fts5(Z_PK, Z_ENT, Z_OPT, ZNAME)")
    let table = #expect(throws: CauldronError.self) { _ = try stack }
    #expect(table?.message.contains("is a virtual one") == true, "\(table?.message ?? "")")
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808"])
  func `a counter at an end of 64 bits is refused at opening`(last: String) throws {
    alter("UPDATE Z_PRIMARYKEY SET Z_MAX = \(last) WHERE Z_NAME = 'Group'")
    let error = #expect(throws: CauldronError.self) { _ = try stack }
    #expect(error?.code == .storeCorrupt)
    #expect(error?.message.contains("\(last) as the last key of Group") == true)
  }

  @Test func `what other programs have added is named once at opening, and Apple's is not`() throws
  {
    func open() throws -> [String] {
      let log = LogCapture()
      var configuration = StackConfiguration()
      configuration.logger = log.logger
      let stack = try Stack(
        storeURL: file.url, model: Self.model(), configuration: configuration)
      try stack.close()
      return log.lines.filter { $0.level == .warning }.map(\.message)
    }
    alter(
      """
      CREATE TRIGGER Z_DA_Person_x_DELETE AFTER DELETE ON ZPERSON BEGIN SELECT 1; END;
      CREATE VIRTUAL TABLE Z_Person_place USING rtree(id, minX, maxX);
      """)
    #expect(try open().isEmpty)
    alter(
      """
      CREATE TRIGGER watch AFTER INSERT ON ZPERSON BEGIN SELECT 1; END; CREATE TABLE notes (a);
      CREATE VIEW people AS SELECT ZNAME FROM ZPERSON; CREATE INDEX fast ON ZPERSON (ZNAME);
      """)
    let warnings = try open()
    #expect(warnings.count == 1)
    for name in [
      "trigger \"watch\" on ZPERSON", "table \"notes\"", "view \"people\"", "index \"fast\"",
    ] {
      #expect(warnings.first?.contains(name) == true, "\(warnings)")
    }
  }

  @Test func `metadata without hashes are refused where there are entities`() throws {
    let stack = try Stack(
      storeURL: file.directory.file("empty.sqlite"), model: ManagedObjectModel(entities: []))
    try stack.close()
    alter(
      """
      ATTACH '\(file.directory.file("empty.sqlite").path)' AS e;
      UPDATE main.Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM e.Z_METADATA)
      """)
    let error = #expect(throws: CauldronError.self) { _ = try self.stack }
    #expect(error?.code == .storeCorrupt)
    #expect(error?.message.contains("no version hashes") == true, "\(error?.message ?? "")")
  }
}
