import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Names that stand in another order without regard to case than by their bytes: `Syncable` before
/// `SyncFeature`, and below it `Aardvark` before `ABook`.
@Suite struct OtherNumbersTests {
  private static func model(withRank: Bool = false) throws -> ManagedObjectModel {
    let tags = RelationshipDescription(
      name: "tags", destination: "Syncable", inverse: "taggedBy", isToMany: true, isOrdered: true)
    let rank = withRank ? [TestModels.attribute("rank", .integer32)] : []
    return try ManagedObjectModel(entities: [
      EntityDescription(
        name: "SyncFeature",
        properties: [
          TestModels.attribute("name", .string), .relationship(tags),
          TestModels.toOne("target", "Syncable", inverse: "features"),
        ] + rank),
      EntityDescription(
        name: "Syncable",
        properties: [
          TestModels.attribute("name", .string),
          TestModels.toMany("taggedBy", "SyncFeature", inverse: "tags"),
          TestModels.toMany("features", "SyncFeature", inverse: "target"),
        ]),
      EntityDescription(
        name: "ABook", superentity: "Syncable", properties: [TestModels.attribute("isbn", .string)]),
      EntityDescription(
        name: "Aardvark", superentity: "Syncable",
        properties: [TestModels.attribute("legs", .integer16)]),
    ])
  }

  private static let own = ["Syncable": 1, "Aardvark": 2, "ABook": 3, "SyncFeature": 4]
  /// Those of earlier versions of the library, and some that no program gives.
  private static let others = [
    ["SyncFeature": 1, "Syncable": 2, "ABook": 3, "Aardvark": 4],
    ["SyncFeature": 12, "Syncable": 90, "ABook": 7, "Aardvark": 300],
  ]

  private static func numbers(_ url: URL) -> [String: Int] {
    let rows = OtherConnection(url).rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? "", Int($0[1] ?? "") ?? 0) })
  }

  private static func filled() throws -> NumberedFile {
    let file = try NumberedFile()
    try file.open(model()) { context in
      let book = try context.make("ABook", "book")
      let animal = try context.make("Aardvark", "animal")
      try book.setValue("123", forKey: "isbn")
      let feature = try context.make("SyncFeature", "feature")
      try feature.setValue(book, forKey: "target")
      try feature.setValue([animal, book], forKey: "tags")
    }
    return file
  }

  /// Gives the entities of a new store other numbers, as a program does that counts otherwise.
  private static func renumber(_ url: URL, _ new: [String: Int]) {
    let whens = own.map { "WHEN \($0.value) THEN \(new[$0.key] ?? 0)" }.joined(separator: " ")
    let (parent, feature) = (new["Syncable"] ?? 0, new["SyncFeature"] ?? 0)
    let table = parent < feature ? "Z_\(parent)TAGGEDBY" : "Z_\(feature)TAGS"
    let statements = [
      "UPDATE Z_PRIMARYKEY SET Z_ENT = 1000 + CASE Z_ENT \(whens) END",
      "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT - 1000",
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = \(parent) WHERE Z_SUPER = 1",
      "UPDATE ZSYNCABLE SET Z_ENT = CASE Z_ENT \(whens) END",
      "UPDATE ZSYNCFEATURE SET Z_ENT = CASE Z_ENT \(whens) END,"
        + " Z1_TARGET = CASE Z1_TARGET \(whens) END",
      "ALTER TABLE ZSYNCFEATURE RENAME COLUMN Z1_TARGET TO Z\(parent)_TARGET",
      "ALTER TABLE Z_1TAGGEDBY RENAME COLUMN Z_1TAGS TO Z_\(parent)TAGS",
      "ALTER TABLE Z_1TAGGEDBY RENAME COLUMN Z_4TAGGEDBY TO Z_\(feature)TAGGEDBY",
      "ALTER TABLE Z_1TAGGEDBY RENAME COLUMN Z_FOK_1TAGS TO Z_FOK_\(parent)TAGS",
      "ALTER TABLE Z_1TAGGEDBY RENAME TO \(table)",
    ]
    let other = OtherConnection(url)
    for sql in statements { #expect(other.run(sql), "\(sql)") }
  }

  @Test func `a new store has the numbers of Core Data`() throws {
    let file = try Self.filled()
    #expect(Self.numbers(file.url) == Self.own)
    #expect(
      try Self.model().entities.map(\.name) == ["Syncable", "Aardvark", "ABook", "SyncFeature"])
  }

  @Test(arguments: others)
  func `a store of other numbers is read, changed and left with them`(numbers: [String: Int]) throws
  {
    let file = try Self.filled()
    Self.renumber(file.url, numbers)
    try file.open(Self.model()) { context in
      let feature = try #require(try context.named("SyncFeature")["feature"])
      #expect(feature.linkedNames("target") == ["book"])
      #expect((feature.value(forKey: "target") as? ManagedObject)?.entity.name == "ABook")
      #expect(feature.linkedNames("tags", isOrdered: true) == ["animal", "book"])
      #expect(try context.named("Aardvark").keys.sorted() == ["animal"])
      let third = try context.make("Aardvark", "third")
      let animal = try #require(try context.named("Syncable")["animal"])
      try feature.setValue(third, forKey: "target")
      try feature.setValue([third, animal], forKey: "tags")
      try animal.setValue("renamed", forKey: "name")
    }
    try file.open(Self.model()) { context in
      let feature = try #require(try context.named("SyncFeature")["feature"])
      #expect((feature.value(forKey: "target") as? ManagedObject)?.entity.name == "Aardvark")
      #expect(feature.linkedNames("tags", isOrdered: true) == ["third", "renamed"])
      #expect(try context.named("Syncable").keys.sorted() == ["book", "renamed", "third"])
      #expect(try context.named("ABook").keys.sorted() == ["book"])
    }
    #expect(Self.numbers(file.url) == numbers)
    let found = OtherConnection(file.url).integers(
      "SELECT DISTINCT Z_ENT FROM ZSYNCABLE ORDER BY 1")
    #expect(Set(found.map(Int.init)) == Set([numbers["ABook"] ?? 0, numbers["Aardvark"] ?? 0]))
  }

  @Test(arguments: others)
  func `a migration gives the numbers of Core Data to rows, references and links`(
    numbers: [String: Int]
  ) throws {
    let file = try Self.filled()
    Self.renumber(file.url, numbers)
    try file.open(Self.model(withRank: true), migration: .automatic) { context in
      let feature = try #require(try context.named("SyncFeature")["feature"])
      #expect((feature.value(forKey: "target") as? ManagedObject)?.entity.name == "ABook")
      #expect(feature.linkedNames("tags", isOrdered: true) == ["animal", "book"])
      try context.make("ABook", "next")
    }
    #expect(Self.numbers(file.url) == Self.own)
    try file.open(Self.model(), migration: .automatic(discarding: ["SyncFeature.rank: Int32"])) {
      context in
      let (books, animals) = try (context.named("ABook"), context.named("Aardvark"))
      #expect(books.keys.sorted() == ["book", "next"])
      #expect(animals.keys.sorted() == ["animal"])
    }
  }

  @Test func `a row that keeps the old name of an entity is that entity's`() throws {
    let file = try Self.filled()
    Self.renumber(file.url, Self.others[0])
    #expect(OtherConnection(file.url).run("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old' WHERE Z_ENT = 1"))
    try file.open(Self.model()) { context in
      let features = try context.named("SyncFeature")
      #expect(features.keys.sorted() == ["feature"])
    }
  }

  @Test(arguments: [
    ("UPDATE Z_PRIMARYKEY SET Z_ENT = -4 WHERE Z_NAME = 'ABook'", ErrorCode.corrupt),
    ("UPDATE Z_PRIMARYKEY SET Z_ENT = 9223372036854775807 WHERE Z_NAME = 'ABook'", .unsupported),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'ABook'", .corrupt),
    ("DROP TABLE Z_1TAGGEDBY", .corrupt),
  ])
  func `numbers and tables that cannot be used are refused`(sql: String, code: ErrorCode) throws {
    let file = try Self.filled()
    #expect(OtherConnection(file.url).run(sql))
    let error = #expect(throws: CauldronError.self) { try file.open(Self.model()) { _ in } }
    #expect(error?.code == (code == .corrupt ? .storeCorrupt : .storeUnsupported))
    if sql.hasPrefix("DROP") || code == .unsupported {
      #expect(error?.hint.contains("estore a copy") == false)
    }
  }

  enum ErrorCode { case corrupt, unsupported }
}
