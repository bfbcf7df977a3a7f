import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// A model that has changed brings the data along, and loses nothing that nobody has given up.
@Suite(.againstHanging) struct MigrationTests {
  private let person = EntityDescription.entity(
    "Person", .text("name", isOptional: false, default: ""), .text("label"),
    .number("age", .integer16), .one("employer", "Company", "staff"))
  private let company = EntityDescription.entity(
    "Company", .text("name"), .many("staff", "Person", "employer"))

  private func filled() throws -> DayTwo {
    let store = try DayTwo()
    try store.open([person, company]) { context in
      let acme = try context.insertNewObject(forEntityName: "Company")
      try acme.setValue("acme", forKey: "name")
      for number in 0..<5 {
        let jack = try context.insertNewObject(forEntityName: "Person")
        try jack.setValue("p\(number)", forKey: "name")
        if number > 0 { try jack.setValue("l\(number)", forKey: "label") }
        try jack.setValue(Int16(number), forKey: "age")
        if number < 3 { try jack.setValue(acme, forKey: "employer") }
      }
    }
    return store
  }

  private func people(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    request.sortKeys = [SortKey("name")]
    return try context.fetch(request)
  }

  @Test func `what came is filled, what was renamed is kept, and the log tells of both`() throws {
    let store = try filled()
    let new = EntityDescription.entity(
      "Person", .text("name", isOptional: false, default: ""), .text("title", from: "label"),
      .number("age", .integer64), .number("rank", isOptional: false, default: 7),
      .one("employer", "Company", "staff"))
    let animal = EntityDescription.entity("Animal", .text("name"))
    try store.open([new, company, animal]) { context in
      let all = try people(context)
      #expect(all.map { $0.value(forKey: "name") as? String } == (0..<5).map { "p\($0)" })
      #expect(all.map { $0.value(forKey: "title") as? String } == [nil, "l1", "l2", "l3", "l4"])
      #expect(all.allSatisfy { $0.value(forKey: "rank") as? Int == 7 })
      let staff = try #require(all[0].value(forKey: "employer") as? ManagedObject)
      #expect(staff.value(forKey: "name") as? String == "acme")
      try all[0].setValue("new", forKey: "title")
    }
    try store.open([new, company, animal]) { context in
      let title = try people(context)[0].value(forKey: "title") as? String
      #expect(title == "new")
    }
    let line = store.log.lines.first { $0.message.hasPrefix("→ Migrating") }
    #expect(
      line?.message.hasPrefix(
        "→ Migrating people.sqlite: + Animal, Person.label → title, Person.age: Int16 → Int,"
          + " Person + rank (") == true, "\(line?.message ?? "")")
  }

  @Test func `values are lost only where the code gives them up`() throws {
    let store = try filled()
    let less = EntityDescription.entity(
      "Person", .text("name", isOptional: false, default: ""), .text("title"),
      .number("age", .integer16), .one("employer", "Company", "staff"))
    let error = store.refusal([less, company])
    #expect(error?.code == .migrationWouldDiscard)
    #expect(error?.message.contains("Person.label would be lost") == true)
    #expect(error?.hint.contains(".automatic(discarding: [\"Person.label: String\"])") == true)
    #expect(error?.hint.contains("originalName: \"label\"") == true)
    // Nothing has happened.
    try store.open([person, company]) { context in
      let count = try people(context).count
      #expect(count == 5)
    }
    var allowed = less
    allowed.discards = ["label: String"]
    try store.open([allowed, company]) { context in
      let count = try people(context).count
      #expect(count == 5)
    }
    let backup = store.url.deletingPathExtension().appendingPathExtension("backup.sqlite")
    #expect(FileManager.default.fileExists(atPath: backup.path))
  }

  @Test func `an entity is given up by the configuration`() throws {
    let store = try filled()
    let alone = EntityDescription.entity(
      "Person", .text("name", isOptional: false, default: ""), .text("label"),
      .number("age", .integer16))
    #expect(store.refusal([alone])?.details.count == 2)
    try store.open(
      [alone], .automatic(discarding: ["Company", "Person.employer: Company"])
    ) { context in
      let count = try people(context).count
      #expect(count == 5)
    }
  }

  @Test func `never leaves the store as it is`() throws {
    let store = try filled()
    let more = EntityDescription.entity("Other", .text("name"))
    #expect(store.refusal([person, company, more], .never)?.code == .storeIncompatibleModel)
  }

  @Test func `what is required and new needs a default, rows or not`() throws {
    let store = try filled()
    var more = person
    more.properties.append(.text("mail", isOptional: false))
    let error = store.refusal([more, company])
    #expect(error?.code == .migrationMissingValue)
    #expect(error?.hint == "Give the attribute a default value, or make it optional.")
  }

  @Test func `an attribute that becomes required is filled, or the objects without it are named`()
    throws
  {
    let store = try filled()
    let filledWith = EntityDescription.entity(
      "Person", .text("name", isOptional: false, default: ""),
      .text("label", isOptional: false, default: "none"), .number("age", .integer16),
      .one("employer", "Company", "staff"))
    let bare = EntityDescription.entity(
      "Person", .text("name", isOptional: false, default: ""), .text("label", isOptional: false),
      .number("age", .integer16), .one("employer", "Company", "staff"))
    let error = store.refusal([bare, company])
    #expect(error?.code == .migrationMissingValue)
    #expect(error?.message.contains("1 objects have no value, such as p") == true)
    try store.open([filledWith, company]) { context in
      let label = try people(context)[0].value(forKey: "label") as? String
      #expect(label == "none")
    }
  }

  @Test func `a new unique key is refused where the data break it`() throws {
    let store = try filled()
    try store.open([person, company]) { try people($0)[1].setValue("p0", forKey: "name") }
    var unique = person
    unique.uniquenessConstraints = [["name"]]
    let error = store.refusal([unique, company])
    #expect(error?.code == .migrationNotUnique)
    #expect(error?.message.contains("such as p0") == true)
    try store.open([person, company]) { try people($0)[1].setValue("p1", forKey: "name") }
    try store.open([unique, company]) { context in
      let count = try people(context).count
      #expect(count == 5)
    }
  }

  @Test func `a to-one becomes a to-many, and an order begins with the keys`() throws {
    let store = try filled()
    let many = EntityDescription.entity(
      "Person", .text("name", isOptional: false, default: ""), .text("label"),
      .number("age", .integer16), .many("employers", "Company", "staff", from: "employer"))
    let ordered = EntityDescription.entity(
      "Company", .text("name"), .many("staff", "Person", "employers", isOrdered: true))
    try store.open([many, ordered]) { context in
      let acme = try #require(
        try context.fetch(FetchRequest<ManagedObject>(entityName: "Company")).first)
      let staff = acme.value(forKey: "staff") as? [ManagedObject]
      #expect(staff?.map { $0.value(forKey: "name") as? String } == ["p0", "p1", "p2"])
    }
  }

  @Test func `numbers of entities, parents and tables may change`() throws {
    let store = try filled()
    let being = EntityDescription.entity(
      "Being", isAbstract: true, .text("name", isOptional: false, default: ""))
    let man = EntityDescription.entity(
      "Man", below: "Being", from: ["Person"], .text("label"), .number("age", .integer16),
      .one("employer", "Company", "staff"))
    let firm = EntityDescription.entity("Company", .text("name"), .many("staff", "Man", "employer"))
    let animal = EntityDescription.entity("Animal", below: "Being", .text("sound"))
    try store.open([being, man, firm, animal]) { context in
      var request = FetchRequest<ManagedObject>(entityName: "Being")
      request.sortKeys = [SortKey("name")]
      let all = try context.fetch(request)
      #expect(all.map { $0.entity.name } == Array(repeating: "Man", count: 5))
      let staff = try #require(all[0].value(forKey: "employer") as? ManagedObject)
      #expect(staff.value(forKey: "name") as? String == "acme")
      let more = try context.insertNewObject(forEntityName: "Animal")
      try more.setValue("cat", forKey: "name")
    }
    let other = OtherConnection(store.url)
    #expect(
      other.integers("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'")
        == [1])
    #expect(other.integers("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Being'") == [6])
  }
}
