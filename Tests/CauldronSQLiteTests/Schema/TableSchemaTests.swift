import CauldronModel
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("The tables of a model")
struct TableSchemaTests {
  private static func statements(_ entities: [EntityDescription]) throws -> [String] {
    let schema = try StoreSchema(model: try ManagedObjectModel(entities: entities))
    return schema.tables.flatMap(\.creationStatements)
  }

  private static let books: [EntityDescription] = [
    EntityDescription(
      name: "Book",
      properties: [
        TestModels.attribute("uniqueID", .uuid), TestModels.attribute("title", .string),
        TestModels.attribute("price", .decimal), TestModels.attribute("publishedAt", .date),
        TestModels.attribute("cover", .transformable),
        TestModels.attribute("pagesCount", .integer64),
        TestModels.toOne("author", "Writer", inverse: "books"),
        TestModels.toMany("pages", "Page", inverse: "book"),
      ], uniquenessConstraints: [["uniqueID"]]),
    EntityDescription(
      name: "GraphicNovel", superentity: "Book",
      properties: [TestModels.attribute("isBlackAndWhite", .boolean)]),
    EntityDescription(
      name: "Page",
      properties: [
        TestModels.attribute("number", .integer32), TestModels.attribute("isBookmarked", .boolean),
        TestModels.attribute("content", .binary), TestModels.toOne("book", "Book"),
      ]),
    EntityDescription(
      name: "Writer",
      properties: [
        TestModels.attribute("alias", .string), TestModels.attribute("siteURL", .uri),
        TestModels.attribute("rating", .float), TestModels.toMany("books", "Book"),
      ], uniquenessConstraints: [["alias", "siteURL"]]),
  ]

  @Test("A hierarchy, entity keys and indexes are laid out as Core Data lays them out")
  func coreData() throws {
    #expect(
      try Self.statements(Self.books) == [
        "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " ZPAGESCOUNT INTEGER, ZAUTHOR INTEGER, ZISBLACKANDWHITE INTEGER,"
          + " ZPUBLISHEDAT TIMESTAMP, ZPRICE DECIMAL, ZTITLE VARCHAR, ZUNIQUEID BLOB,"
          + " ZCOVER BLOB )",
        "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)",
        "CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Book_UNIQUE_uniqueID ON ZBOOK (ZUNIQUEID COLLATE BINARY ASC)",
        "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " ZISBOOKMARKED INTEGER, ZNUMBER INTEGER, ZBOOK INTEGER, Z1_BOOK INTEGER,"
          + " ZCONTENT BLOB )",
        "CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK)",
        "CREATE TABLE ZWRITER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " ZRATING FLOAT, ZALIAS VARCHAR, ZSITEURL VARCHAR )",
        "CREATE UNIQUE INDEX Z_Writer_UNIQUE_alias_siteURL ON ZWRITER"
          + " (ZALIAS COLLATE BINARY ASC, ZSITEURL COLLATE BINARY ASC)",
      ])
  }

  @Test("Indexes are named after their entity and lie on the table of its root")
  func indexes() throws {
    var writer = Self.books[Self.books.count - 1]
    writer.indexes = [IndexDescription(properties: ["rating", "alias"])]
    let poet = EntityDescription(
      name: "Poet", superentity: "Writer", properties: [TestModels.attribute("verses", .integer32)],
      indexes: [IndexDescription(name: "quick", properties: ["verses"])])
    let statements = try Self.statements(Self.books.dropLast() + [writer, poet])
    #expect(
      statements.suffix(2)
        == [
          "CREATE INDEX Z_Poet_quick ON ZWRITER (ZVERSES COLLATE BINARY ASC)",
          "CREATE INDEX Z_Writer_byRatingAndAlias ON ZWRITER"
            + " (ZRATING COLLATE BINARY ASC, ZALIAS COLLATE BINARY ASC)",
        ].reversed())
  }

  @Test("Properties of siblings that share a name get numbered columns, each its own")
  func siblings() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(name: "Message", properties: [TestModels.attribute("text", .string)]),
      EntityDescription(
        name: "Asset", superentity: "Message", properties: [TestModels.attribute("size", .string)]),
      EntityDescription(
        name: "Mail", superentity: "Message",
        properties: [TestModels.attribute("size", .string), TestModels.attribute("Text", .string)]),
    ])
    let schema = try StoreSchema(model: model)
    #expect(schema.tables[0].columns.map(\.name) == ["ZTEXT", "ZSIZE", "ZSIZE1", "ZTEXT1"])
    let mail = model.entity("Mail")
    #expect(schema.sqlName(mail.property("size"), of: mail) == "ZSIZE1")
    #expect(schema.sqlName(mail.property("text"), of: mail) == "ZTEXT")
    #expect(schema.sqlName(mail.property("Text"), of: mail) == "ZTEXT1")
  }

  @Test("Names that SQL would misread are quoted, and the store's own columns are never taken")
  func names() throws {
    let statements = try Self.statements([
      EntityDescription(
        name: "a \"b\"",
        properties: [
          TestModels.attribute("_pk", .integer64), TestModels.attribute("ünicode;", .string),
        ])
    ])
    #expect(
      statements == [
        "CREATE TABLE \"ZA \"\"B\"\"\" ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " Z_PK1 INTEGER, \"ZÜNICODE;\" VARCHAR )"
      ])
  }

  @Test("Two root entities cannot share a table, nor take one of the store's own")
  func clash() throws {
    for names in [["foo", "FOO"], ["_metadata"]] {
      let entities = names.map { EntityDescription(name: $0, properties: []) }
      let error = try failure { _ = try Self.statements(entities) }
      #expect(error.code == .modelInvalid)
    }
  }
}
