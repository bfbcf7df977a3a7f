import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Two many-to-many relationships named `votedBy` that lead to one entity.
@Suite struct JoinColumnTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Member",
        properties: [
          TestModels.attribute("name", .string),
          TestModels.toMany("polls", "Poll", inverse: "votedBy"),
          TestModels.toMany("options", "PollOption", inverse: "votedBy"),
        ]),
      EntityDescription(
        name: "Poll",
        properties: [
          TestModels.attribute("name", .string), TestModels.toMany("votedBy", "Member"),
        ]),
      EntityDescription(
        name: "PollOption",
        properties: [
          TestModels.attribute("name", .string),
          .relationship(
            RelationshipDescription(
              name: "votedBy", destination: "Member", inverse: "options", isToMany: true,
              isOrdered: true)),
        ]),
    ])
  }

  private static func filled() throws -> NumberedFile {
    let file = try NumberedFile()
    try file.open(model()) { context in
      let people = try ["a", "b", "c"].map { try context.make("Member", $0) }
      try context.make("Poll", "poll").setValue(Array(people[..<2]), forKey: "votedBy")
      try context.make("PollOption", "option").setValue([people[2], people[0]], forKey: "votedBy")
    }
    return file
  }

  private static func columns(_ table: String, _ url: URL) -> [String] {
    OtherConnection(url).texts("SELECT name FROM pragma_table_info('\(table)')")
  }

  @Test func `in a new store the second of two equal columns gets a number, as in Core Data`()
    throws
  {
    let url = try Self.filled()
    #expect(Self.columns("Z_1POLLS", url.url) == ["Z_1VOTEDBY", "Z_2POLLS"])
    #expect(
      Self.columns("Z_1OPTIONS", url.url) == ["Z_1VOTEDBY1", "Z_3OPTIONS", "Z_FOK_1VOTEDBY1"])
  }

  /// As earlier versions named them, with the number at the other table, and with another entity's number.
  private static let renamings = [
    [
      "ALTER TABLE Z_1OPTIONS RENAME COLUMN Z_1VOTEDBY1 TO Z_1VOTEDBY",
      "ALTER TABLE Z_1OPTIONS RENAME COLUMN Z_FOK_1VOTEDBY1 TO Z_FOK_1VOTEDBY",
    ],
    [
      "ALTER TABLE Z_1OPTIONS RENAME COLUMN Z_1VOTEDBY1 TO Z_1VOTEDBY",
      "ALTER TABLE Z_1OPTIONS RENAME COLUMN Z_FOK_1VOTEDBY1 TO Z_FOK_1VOTEDBY",
      "ALTER TABLE Z_1POLLS RENAME COLUMN Z_1VOTEDBY TO Z_1VOTEDBY1",
    ],
    [
      "ALTER TABLE Z_1POLLS RENAME TO Z_9POLLS",
      "ALTER TABLE Z_9POLLS RENAME COLUMN Z_2POLLS TO Z_8POLLS",
    ],
  ]

  @Test(arguments: [[]] + renamings)
  func `links are read and changed where the file has them`(renaming: [String]) throws {
    let file = try Self.filled()
    let other = OtherConnection(file.url)
    for sql in renaming { #expect(other.run(sql), "\(sql)") }
    try file.open(Self.model()) { context in
      let poll = try #require(try context.named("Poll")["poll"])
      let option = try #require(try context.named("PollOption")["option"])
      #expect(poll.linkedNames("votedBy") == ["a", "b"])
      #expect(option.linkedNames("votedBy", isOrdered: true) == ["c", "a"])
      let people = try context.named("Member")
      try poll.setValue([people["c"], people["b"]].compactMap { $0 }, forKey: "votedBy")
      try option.setValue([people["a"], people["b"]].compactMap { $0 }, forKey: "votedBy")
    }
    try file.open(Self.model()) { context in
      #expect(try context.named("Poll")["poll"]?.linkedNames("votedBy") == ["b", "c"])
      let option = try context.named("PollOption")["option"]
      #expect(option?.linkedNames("votedBy", isOrdered: true) == ["a", "b"])
      #expect(try context.named("Member")["b"]?.linkedNames("polls") == ["poll"])
    }
  }

  @Test func `two tables that serve as well are not chosen from`() throws {
    let file = try Self.filled()
    let other = OtherConnection(file.url)
    #expect(
      other.run("ALTER TABLE Z_1POLLS RENAME TO Z_5X; CREATE TABLE Z_6X AS SELECT * FROM Z_5X"))
    let error = #expect(throws: CauldronError.self) { try file.open(Self.model()) { _ in } }
    #expect(error?.code == .storeUnsupported)
    #expect(error?.hint.contains("estore a copy") == false)
  }
}
