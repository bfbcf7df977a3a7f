import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// Numbers at the ends of what a file can hold: an error each, and no end of the process.
@Suite struct ExtremeNumberTests {
  private static func model(withExtra: Bool = false) throws -> ManagedObjectModel {
    let friends = TestModels.toMany("friends", "Person", inverse: "friendOf")
    let places = RelationshipDescription(
      name: "photos", destination: "Photo", inverse: "owner", isToMany: true, isOrdered: true)
    return try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person",
        properties: [
          TestModels.attribute("name", .string), friends, .relationship(places),
          TestModels.toMany("friendOf", "Person", inverse: "friends"),
        ]),
      EntityDescription(
        name: "Photo",
        properties: [
          TestModels.attribute("name", .string),
          TestModels.toOne("owner", "Person", inverse: "photos"),
        ] + (withExtra ? [TestModels.attribute("extra", .string)] : [])),
    ])
  }

  private static func filled() throws -> NumberedFile {
    let file = try NumberedFile()
    try file.open(model()) { context in
      let people = try ["a", "b", "c"].map { try context.make("Person", $0) }
      try people[0].setValue(Array(people[1...]), forKey: "friends")
      let photos = try ["1", "2", "3"].map { try context.make("Photo", $0) }
      try people[0].setValue(photos, forKey: "photos")
    }
    return file
  }

  private static func damaged(_ sql: String) throws -> NumberedFile {
    let file = try filled()
    #expect(OtherConnection(file.url).run(sql), "\(sql)")
    return file
  }

  private static let plan = MigrationPlan {
    MigrationStep("add", needs: ["Photo.name"], discards: []) { step in
      _ = try step.insert("Photo") { $0["name"] = "new" }
    }
  }

  @Test(arguments: [
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807",
    "UPDATE ZPHOTO SET Z_PK = 9223372036854775807 WHERE Z_PK = 1",
    "UPDATE ZPHOTO SET Z_PK = -9223372036854775808 WHERE Z_PK = 1",
  ])
  func `a step that inserts finds that there are no keys left`(sql: String) throws {
    let file = try Self.damaged(sql)
    let error = #expect(throws: CauldronError.self) {
      try file.open(Self.model(withExtra: true), migration: .plan(Self.plan)) { _ in }
    }
    #expect(error?.code == .storeCorrupt)
    #expect(OtherConnection(file.url).integers("SELECT count(*) FROM ZPHOTO") == [3])
  }

  @Test func `a forecast tells of keys that cannot be counted`() throws {
    let file = try Self.damaged("UPDATE ZPHOTO SET Z_PK = -9223372036854775808 WHERE Z_PK = 1")
    let forecast = try Stack.migrationForecast(
      storeURL: file.url, model: Self.model(withExtra: true))
    #expect(forecast.problems.map(\.code) == [.storeCorrupt])
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808"])
  func `photos are put between places at the ends`(place: String) throws {
    let file = try Self.damaged(
      "UPDATE ZPHOTO SET Z_FOK_OWNER = \(place) WHERE Z_PK IN (SELECT max(Z_PK) FROM ZPHOTO)")
    try? file.open(Self.model()) { context in
      let person = try #require(try context.named("Person")["a"])
      let photos = person.value(forKey: "photos") as? [ManagedObject] ?? []
      let new = try ["4", "5", "6"].map { try context.make("Photo", $0) }
      try person.setValue([photos[0]] + new + photos[1...], forKey: "photos")
    }
    try file.open(Self.model()) { context in
      let names = try context.named("Person")["a"]?.linkedNames("photos", isOrdered: true)
      #expect(names?[1...3] == ["4", "5", "6"])
    }
  }

  @Test func `a negative end of a link is refused at opening`() throws {
    let file = try Self.damaged(
      "UPDATE Z_1FRIENDOF SET Z_1FRIENDS = -1 WHERE rowid = 1")
    let error = #expect(throws: CauldronError.self) { try file.open(Self.model()) { _ in } }
    #expect(error?.code == .storeCorrupt)
  }

  @Test func `a negative end that comes later ends nothing`() throws {
    let file = try Self.filled()
    _ = try? file.open(Self.model()) { context in
      let sql = "UPDATE Z_1FRIENDOF SET Z_1FRIENDS = -1 WHERE rowid = 1"
      #expect(OtherConnection(file.url).run(sql))
      for person in try context.named("Person").values {
        _ = (person.linkedNames("friends"), person.linkedNames("friendOf"))
        try person.setValue([ManagedObject](), forKey: "friends")
      }
    }
  }

  @Test(arguments: [
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 1100000000",
    "UPDATE ZPERSON SET Z_PK = 1200000000 WHERE Z_PK = 3",
    "UPDATE ZPERSON SET Z_PK = 9223372036854770000 WHERE Z_PK = 3",
    "UPDATE ZPERSON SET Z_PK = -7 WHERE Z_PK = 3",
  ])
  func `a link for which there is no room is refused by the save, and nothing else`(
    sql: String
  ) throws {
    let file = try Self.damaged("DELETE FROM Z_1FRIENDOF; \(sql)")
    let isNew = sql.contains("Z_MAX")
    let error = #expect(throws: CauldronError.self) {
      try file.open(Self.model()) { context in
        let people = try context.named("Person")
        let other = isNew ? try context.make("Person", "d") : try #require(people["c"])
        try #require(people["a"]).setValue([other], forKey: "friends")
        #expect(people["a"]?.linkedNames("friends") == [isNew ? "d" : "c"])
      }
    }
    // An object with a key that no row can have is not even read.
    #expect(error?.code == (sql.contains("-7") ? .storeCorrupt : .storeUnsupported))
    #expect(OtherConnection(file.url).integers("SELECT count(*) FROM Z_1FRIENDOF") == [0])
  }
}
