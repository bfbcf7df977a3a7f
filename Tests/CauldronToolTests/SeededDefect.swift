import CauldronModel
import CauldronStore
import Testing

/// Something that is done to a good store, and the findings that it must have.
struct SeededDefect: Sendable, CustomTestStringConvertible {
  let name: String
  /// Everything that is found, and nothing else.
  let kinds: Set<StoreFinding.Kind>
  /// What one of the sentences must say.
  let words: String
  let damage: @Sendable (RawDatabase) throws -> Void

  var testDescription: String { name }

  init(
    _ name: String, _ kinds: Set<StoreFinding.Kind>, _ words: String,
    _ damage: @escaping @Sendable (RawDatabase) throws -> Void
  ) {
    (self.name, self.kinds, self.words, self.damage) = (name, kinds, words, damage)
  }

  init(_ name: String, _ kinds: Set<StoreFinding.Kind>, _ words: String, _ sql: String) {
    self.init(name, kinds, words) { #expect($0.run(sql) == nil) }
  }
}

extension SeededDefect {
  static let all =
    rows + keys + values + links + orders + schema + declarations + model + pages

  private static let rows = [
    SeededDefect(
      "an entity number that nobody has", [.rowEntity], "Doctor has the number of none",
      "UPDATE ZDOCTOR SET Z_ENT = 77 WHERE Z_PK = 1; UPDATE ZBADGE SET Z3_OWNER = 77 WHERE ZOWNER = 1"
    ),
    SeededDefect(
      "no entity number", [.rowEntity], "in 1 row (p1)",
      "UPDATE ZTOPIC SET Z_ENT = NULL WHERE Z_PK = 1"),
    SeededDefect(
      "the entity number of another table", [.rowEntity], "Topic has the number of none",
      "UPDATE ZTOPIC SET Z_ENT = 1 WHERE Z_PK = 2"),
    SeededDefect(
      "no version", [.rowVersion], "Clinic has no version",
      "UPDATE ZCLINIC SET Z_OPT = NULL WHERE Z_PK = 1"),
    SeededDefect(
      "a version that is a word", [.rowVersion], "Clinic has no version",
      "UPDATE ZCLINIC SET Z_OPT = 'one'"),
    SeededDefect(
      "a negative key", [.rowKey], "Topic has a key below 1",
      "UPDATE ZTOPIC SET Z_PK = -1 WHERE Z_PK = 1; UPDATE Z_3TOPICS SET Z_5TOPICS = -1 WHERE Z_5TOPICS = 1"
    ),
  ]

  private static let keys = [
    SeededDefect(
      "a key counter behind the keys", [.keyCounter],
      "The greatest key of Doctor is 4, and Z_PRIMARYKEY has 2",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Doctor'"),
    SeededDefect(
      "a key counter that leaves no key", [.keyCounter],
      "Z_PRIMARYKEY has 9223372036854775807 as the last key of Topic",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Topic'"),
    SeededDefect(
      "very many counters that leave no key", [.keyCounter, .findingsMore],
      "There are 200 more findings",
      """
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2199)
      INSERT INTO Z_PRIMARYKEY SELECT i, 'X' || i, 0, 9223372036854775807 FROM n
      """),
    SeededDefect(
      "no key counter", [.keyCounter], "Z_PRIMARYKEY has nothing",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Topic'"),
    SeededDefect(
      "an entity without its line", [.entityNumber], "Surgeon has the number 4",
      "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Surgeon'"),
    SeededDefect(
      "an entity below nothing", [.entityNumber], "puts it below 0, not 3",
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Surgeon'"),
  ]

  private static let values = [
    SeededDefect(
      "a required text that is nil", [.valueMissing], "Doctor.name is required and nil in 2 rows",
      "UPDATE ZDOCTOR SET ZNAME = NULL WHERE Z_PK < 3"),
    SeededDefect(
      "a required reference that is nil", [.valueMissing, .linkOneSided],
      "Badge.owner is required and nil in 1 row (p2)",
      "UPDATE ZBADGE SET ZOWNER = NULL, Z3_OWNER = NULL WHERE Z_PK = 2"),
    SeededDefect(
      "text in an integer column", [.valueType], "Doctor.age holds no Integer 16 in 1 row (p3)",
      "UPDATE ZDOCTOR SET ZAGE = 'old' WHERE Z_PK = 3"),
    SeededDefect(
      "an integer beyond 16 bits", [.valueType], "Doctor.age holds no Integer 16",
      "UPDATE ZDOCTOR SET ZAGE = 70000 WHERE Z_PK = 3"),
    SeededDefect(
      "bytes in a text", [.valueType], "Topic.title holds no String",
      "UPDATE ZTOPIC SET ZTITLE = x'00FF'"),
    SeededDefect(
      "a word for a truth value", [.valueType], "Doctor.isIn holds no Boolean",
      "UPDATE ZDOCTOR SET ZISIN = 'perhaps' WHERE Z_PK = 4"),
    SeededDefect(
      "a number that is no truth value", [.valueType], "Doctor.isIn holds no Boolean in 1 row (p1)",
      "UPDATE ZDOCTOR SET ZISIN = 2 WHERE Z_PK = 1"),
    SeededDefect(
      "a word for a date", [.valueType], "Doctor.hired holds no Date",
      "UPDATE ZDOCTOR SET ZHIRED = 'yesterday' WHERE Z_PK = 4"),
    SeededDefect(
      "a UUID of three bytes", [.valueType], "Clinic.token holds no UUID",
      "UPDATE ZCLINIC SET ZTOKEN = x'010203' WHERE Z_PK = 1"),
    SeededDefect(
      "text where encoded bytes should be", [.valueType], "Doctor.hours holds no Transformable",
      "UPDATE ZDOCTOR SET ZHOURS = 'none' WHERE Z_PK = 2"),
    SeededDefect(
      "a unique value that is there twice", [.valueDuplicate, .indexMissing],
      "Clinic: name must be unique, and 1 value is there more than once (p1).",
      "DROP INDEX Z_Clinic_UNIQUE_name; UPDATE ZCLINIC SET ZNAME = 'same'"),
  ]

  private static let links = [
    SeededDefect(
      "a dangling reference", [.linkDangling], "Doctor.clinic leads to no Clinic in 1 row (p1)",
      "UPDATE ZDOCTOR SET ZCLINIC = 99 WHERE Z_PK = 1"),
    SeededDefect(
      "a reference to another entity of the table", [.linkEntity, .linkOneSided],
      "Clinic.head leads to what is no Surgeon", "UPDATE ZCLINIC SET ZHEAD = 1 WHERE Z_PK = 1"),
    SeededDefect(
      "the number of another entity beside a reference", [.linkEntity],
      "Badge.owner has beside it the number of another entity",
      "UPDATE ZBADGE SET Z3_OWNER = 4 WHERE ZOWNER = 1"),
    SeededDefect(
      "a one-to-one that one end knows of", [.linkOneSided], "whose Badge.owner does not lead back",
      "UPDATE ZDOCTOR SET ZBADGE = 2 WHERE Z_PK = 1"),
    SeededDefect(
      "a link to a row that is gone", [.linkDangling], "Doctor.topics leads to no Topic",
      "DELETE FROM ZTOPIC WHERE Z_PK = 2"),
    SeededDefect(
      "a link with one end", [.linkDoubled],
      "Z_3TOPICS links an object with nothing in 1 row (1–-)",
      "INSERT INTO Z_3TOPICS VALUES (1, NULL, 5000)"),
    SeededDefect(
      "a link to a text of two lines", [.linkDangling, .rowKey],
      "Doctor.topics leads to no Topic in 1 row (1–text)",
      "INSERT INTO Z_3TOPICS VALUES (1, 'a' || char(10) || 'b', 5000)"),
    SeededDefect(
      "a link that is there twice", [.linkDoubled, .indexMissing],
      "Z_3TOPICS links the same objects more than once in 1 row (1–1)",
      """
      CREATE TABLE t AS SELECT * FROM Z_3TOPICS; DROP TABLE Z_3TOPICS;
      CREATE TABLE Z_3TOPICS (Z_3DOCTORS INTEGER, Z_5TOPICS INTEGER, Z_FOK_5TOPICS INTEGER);
      CREATE INDEX i ON Z_3TOPICS (Z_5TOPICS, Z_3DOCTORS);
      INSERT INTO Z_3TOPICS SELECT * FROM t UNION ALL SELECT * FROM t
        WHERE Z_3DOCTORS = 1 AND Z_5TOPICS = 1; DROP TABLE t
      """),
  ]

  private static let orders = [
    SeededDefect(
      "no place in an order", [.orderMissing], "Doctor.clinic gives no place in Clinic.staff",
      "UPDATE ZDOCTOR SET Z_FOK_CLINIC = NULL WHERE Z_PK = 2"),
    SeededDefect(
      "a negative place", [.orderNegative], "before the first one of Clinic.staff",
      "UPDATE ZDOCTOR SET Z_FOK_CLINIC = -5 WHERE Z_PK = 2"),
    SeededDefect(
      "links without places", [.orderMissing],
      "Doctor.topics leads to an object without a place in 8 rows",
      "UPDATE Z_3TOPICS SET Z_FOK_5TOPICS = NULL"),
  ]

  private static let schema = [
    SeededDefect(
      "no index of a reference", [.indexMissing], "ZDOCTOR has no index on ZCLINIC",
      "DROP INDEX ZDOCTOR_ZCLINIC_INDEX"),
    SeededDefect(
      "no index of the model", [.indexMissing], "ZDOCTOR has no index on ZNAME, ZAGE",
      "DROP INDEX Z_Doctor_byNameAndAge"),
    SeededDefect(
      "no unique index", [.indexMissing], "ZCLINIC has no unique index on ZNAME",
      "DROP INDEX Z_Clinic_UNIQUE_name"),
    SeededDefect(
      "no index of entity numbers", [.indexMissing], "ZDOCTOR has no index on Z_ENT",
      "DROP INDEX ZDOCTOR_Z_ENT_INDEX"),
    SeededDefect(
      "no column", [.columnMissing], "ZDOCTOR has no column ZFEE",
      "ALTER TABLE ZDOCTOR DROP COLUMN ZFEE"),
    SeededDefect(
      "a column that makes numbers of texts", [.columnType],
      "ZTITLE of ZTOPIC is declared NUMERIC instead of VARCHAR",
      "ALTER TABLE ZTOPIC DROP COLUMN ZTITLE; ALTER TABLE ZTOPIC ADD COLUMN ZTITLE NUMERIC;"
        + "UPDATE ZTOPIC SET ZTITLE = 'x'"),
    SeededDefect(
      "no table", [.tableMissing], "The table ZTOPIC is missing", "DROP TABLE ZTOPIC"),
    SeededDefect(
      "no join table", [.tableMissing], "should be those of Z_3TOPICS", "DROP TABLE Z_3TOPICS"),
  ]

  /// Topics in a table of other columns.
  private static func topics(_ columns: String) -> String {
    """
    CREATE TABLE T2 (\(columns)); INSERT INTO T2 SELECT Z_PK, Z_ENT, Z_OPT, ZTITLE FROM ZTOPIC;
    DROP TABLE ZTOPIC; ALTER TABLE T2 RENAME TO ZTOPIC
    """
  }

  private static let declarations = [
    SeededDefect(
      "texts as entity numbers", [.rowEntity, .columnType],
      "Z_ENT of ZTOPIC is declared VARCHAR instead of INTEGER",
      topics("Z_PK INTEGER PRIMARY KEY, Z_ENT VARCHAR, Z_OPT INTEGER, ZTITLE VARCHAR")),
    SeededDefect(
      "two rows with one key", [.tableForm, .rowKey], "Topic: several rows have one key (p1)",
      topics("Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR")
        + "; INSERT INTO ZTOPIC SELECT * FROM ZTOPIC WHERE Z_PK = 1"),
    SeededDefect(
      "texts that are compared without case", [.columnCollation],
      "ZTITLE of ZTOPIC is compared by NOCASE",
      topics(
        "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR COLLATE NOCASE")
    ),
    SeededDefect(
      "a view in the place of a table", [.tableMissing], "The table ZTOPIC is missing",
      "ALTER TABLE ZTOPIC RENAME TO T9; CREATE VIEW ZTOPIC AS SELECT * FROM T9"),
    SeededDefect(
      "no identifier", [.metadataIdentifier], "is of type null",
      "UPDATE Z_METADATA SET Z_UUID = NULL"),
    SeededDefect(
      "bytes as the identifier", [.metadataIdentifier], "is of type blob",
      "UPDATE Z_METADATA SET Z_UUID = x'0102'"),
    SeededDefect(
      "an identifier that is no UTF-8", [.metadataIdentifier], "is no valid UTF-8",
      "UPDATE Z_METADATA SET Z_UUID = CAST(x'41FF' AS TEXT)"),
    SeededDefect("texts in UTF-16", [.fileEncoding], "Its texts are in UTF-16le") { database in
      try database.encode("UTF-16le")
    },
  ]

  private static let model = [
    SeededDefect(
      "a foreign hash", [.modelHash, .metadataDigest], "Doctor has another hash in the metadata",
      """
      UPDATE Z_METADATA SET Z_PLIST = (SELECT CAST(
        substr(Z_PLIST, 1, instr(Z_PLIST, x'\(hash)') - 1) || x'\(other)'
        || substr(Z_PLIST, instr(Z_PLIST, x'\(hash)') + 32) AS BLOB))
      """),
    SeededDefect(
      "a copy of the model that is none", [.modelUnreadable], "(Z_MODELCACHE) is none",
      "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'"),
  ]

  private static let hash = hex(try? Surgery.model().entityVersionHashesByName["Doctor"])
  private static let other = hex(try? Surgery.model().entityVersionHashesByName["Topic"])

  private static func hex(_ bytes: [UInt8]??) -> String {
    ((bytes ?? nil) ?? []).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static let pages = [
    SeededDefect("a page of zeros", [.fileDamaged], "The file is damaged") { database in
      let page = try #require(
        Int(database.text("SELECT rootpage FROM sqlite_master WHERE name = 'ZTOPIC'")))
      #expect(database.run("PRAGMA journal_mode = DELETE") == nil)
      try database.overwrite(at: (page - 1) * 4096, [UInt8](repeating: 0, count: 4096))
    },
    SeededDefect("a wrong count of free pages", [.fileDamaged], "The file is damaged") { database in
      #expect(database.run("PRAGMA journal_mode = DELETE") == nil)
      try database.overwrite(at: 36, [0, 0, 0, 9])
    },
    SeededDefect("an index without a row", [.fileDamaged], "The file is damaged") { database in
      // What SQLite does not know of, it does not keep up.
      let sql =
        "SELECT hex(sql) || ' ' || rootpage FROM sqlite_master WHERE name = 'ZDOCTOR_ZCLINIC_INDEX'"
      let parts = database.text(sql).split(separator: " ")
      try #require(parts.count == 2)
      let error = database.run(
        """
        PRAGMA writable_schema = 1;
        DELETE FROM sqlite_master WHERE name = 'ZDOCTOR_ZCLINIC_INDEX';
        PRAGMA writable_schema = RESET;
        UPDATE ZDOCTOR SET ZCLINIC = 3 - ZCLINIC WHERE Z_PK = 2;
        PRAGMA writable_schema = 1;
        INSERT INTO sqlite_master VALUES ('index', 'ZDOCTOR_ZCLINIC_INDEX', 'ZDOCTOR', \(parts[1]),
          CAST(x'\(parts[0])' AS TEXT));
        PRAGMA writable_schema = RESET
        """)
      #expect(error == nil)
    },
  ]
}
