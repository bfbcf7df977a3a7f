import Cauldron
import CauldronModel
import CauldronQuery
import CauldronStore
import Foundation
import TestSupport
import Testing

/// Steps make objects, find them, link them and delete them.
@Suite(.againstHanging) struct StepLinkTests {
  private static let old = [
    EntityDescription.entity("Person", .text("name"), .text("firm"), .text("labels"))
  ]
  private static let new = [
    EntityDescription.entity(
      "Person", .text("name"), .one("employer", "Company", "staff"),
      .many("tags", "Tag", "people", isOrdered: true)),
    EntityDescription.entity(
      "Company", .text("name", isOptional: false), .number("size", isOptional: false, default: 7),
      .many("staff", "Person", "employer", isOrdered: true)),
    EntityDescription.entity("Tag", .text("name"), .many("people", "Person", "tags")),
  ]

  private func filled() throws -> DayTwo {
    let store = try DayTwo()
    try store.open(Self.old) { context in
      for (name, firm, labels) in [
        ("jack", "acme", "b,a"), ("jill", "acme", "a"), ("joe", "best", ""), ("jane", nil, "c,b,a"),
      ] {
        let person = try context.insertNewObject(forEntityName: "Person")
        try person.setValue(name, forKey: "name")
        try person.setValue(firm, forKey: "firm")
        try person.setValue(labels, forKey: "labels")
      }
    }
    return store
  }

  private static let employers = MigrationStep(
    "employers", needs: ["Person.firm"], discards: ["Person.firm: String"]
  ) { step in
    try step.each("Person") { old, new in
      guard let name: String = old["firm"] else { return }
      let company =
        try step.first("Company", where: "name", equals: name)
        ?? step.insert("Company") { $0["name"] = name }
      try new.link("employer", to: company)
    }
  }

  private static let tags = MigrationStep(
    "tags", needs: ["Person.labels"], discards: ["Person.labels: String"]
  ) { step in
    try step.each("Person") { old, new in
      for label in (old["labels"] ?? "").split(separator: ",").map(String.init) {
        let tag =
          try step.first("Tag", where: "name", equals: label)
          ?? step.insert("Tag") { $0["name"] = label }
        try new.link("tags", to: tag)
      }
    }
  }

  private func staff(_ context: ManagedObjectContext) throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for company in try context.fetch(FetchRequest<ManagedObject>(entityName: "Company")) {
      let staff = company.value(forKey: "staff") as? [ManagedObject] ?? []
      found[company.value(forKey: "name") as? String ?? ""] = staff.map {
        $0.value(forKey: "name") as? String ?? ""
      }
    }
    return found
  }

  private func tags(_ context: ManagedObjectContext) throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for person in try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
      let tags = person.value(forKey: "tags") as? [ManagedObject] ?? []
      found[person.value(forKey: "name") as? String ?? ""] = tags.map {
        $0.value(forKey: "name") as? String ?? ""
      }
    }
    return found
  }

  @Test func `texts become objects, and links lead to them in order`() throws {
    let store = try filled()
    try store.open(Self.new, .steps(Self.employers, Self.tags)) { context in
      let (staff, tags) = (try staff(context), try tags(context))
      #expect(staff == ["acme": ["jack", "jill"], "best": ["joe"]])
      #expect(
        tags == [
          "jack": ["b", "a"], "jill": ["a"], "joe": [], "jane": ["c", "b", "a"],
        ])
      let next = try context.insertNewObject(forEntityName: "Company")
      try next.setValue("next", forKey: "name")
    }
    #expect(
      store.texts("SELECT Z_PK || ZNAME FROM ZCOMPANY ORDER BY Z_PK") == [
        "1acme", "2best", "3next",
      ])
    #expect(store.texts("SELECT DISTINCT Z_OPT || '/' || ZSIZE FROM ZCOMPANY") == ["1/7"])
    #expect(
      store.texts("SELECT Z_NAME || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16001 ORDER BY Z_ENT")
        == [
          "Company3", "Person4", "Tag3",
        ])
    #expect(store.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `a deletion clears references and takes out links`() throws {
    let store = try filled()
    let steps = MigrationPlan(steps: [Self.employers, Self.tags])
    try store.open(Self.new, .plan(steps)) { _ in }
    let before = store.texts("SELECT Z_OPT FROM ZPERSON ORDER BY Z_PK")
    let delete = MigrationStep("delete") { step in
      let acme = try #require(try step.first("Company", where: "name", equals: "acme"))
      #expect(try step.links(acme, "staff").map(\.key) == [1, 2])
      try step.delete(acme)
      let tag = try #require(try step.first("Tag", where: "name", equals: "a"))
      try step.delete(tag)
      // Those that go while they are passed are passed over.
      var seen = 0
      try step.each("Person") { old, _ in
        seen += 1
        let next = try step.first("Person", where: "name", equals: "joe")
        if let next { try step.delete(next) }
      }
      #expect(seen == 3)
    }
    try store.open(Self.new, .steps(delete)) { context in
      let (staff, tags) = (try staff(context), try tags(context))
      #expect(staff == ["best": []])
      #expect(tags == ["jack": ["b"], "jill": [], "jane": ["c", "b"]])
    }
    let after = store.texts("SELECT Z_OPT FROM ZPERSON ORDER BY Z_PK")
    #expect(
      after
        == [before[0], before[1], before[3]].enumerated().map { index, version in
          index < 2 ? "\((Int(version) ?? 0) + 1)" : version
        })
    #expect(store.texts("SELECT count(*) FROM ZPERSON WHERE ZEMPLOYER NOT NULL") == ["0"])
    #expect(store.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `links are taken out and set from either end`() throws {
    let store = try filled()
    try store.open(Self.new, .steps(Self.employers, Self.tags)) { _ in }
    let change = MigrationStep("change") { step in
      let best = try #require(try step.first("Company", where: "name", equals: "best"))
      let jack = try #require(try step.first("Person", where: "name", equals: "jack"))
      let joe = try #require(try step.first("Person", where: "name", equals: "joe"))
      let tag = try #require(try step.first("Tag", where: "name", equals: "b"))
      try step.link(best, "staff", to: jack)
      try step.unlink(best, "staff", from: joe)
      try step.unlink(tag, "people", from: jack)
      try step.link(tag, "people", to: joe)
      try step.link(tag, "people", to: joe)
      try step.update(joe) { new in
        new["name"] = "joan"
        try new.link("tags", to: try step.insert("Tag") { $0["name"] = "z" })
      }
    }
    try store.open(Self.new, .steps(change)) { context in
      let (staff, tags) = (try staff(context), try tags(context))
      #expect(staff == ["acme": ["jill"], "best": ["jack"]])
      #expect(
        tags == [
          "jack": ["a"], "jill": ["a"], "joan": ["b", "z"], "jane": ["c", "b", "a"],
        ])
    }
  }

  @Test func `an object of another entity is no destination`() throws {
    let wrong = MigrationStep("wrong", discards: ["Person.firm: String", "Person.labels: String"]) {
      step in
      let tag = try step.insert("Tag")
      try step.each("Person") { _, new in try new.link("employer", to: tag) }
    }
    #expect(try filled().refusal(Self.new, wrong).code == .queryTypeMismatch)
  }

  @Test func `what goes is read: an entity, references, links and orders`() throws {
    let store = try filled()
    try store.open(Self.new, .steps(Self.employers, Self.tags)) { _ in }
    let flat = [
      EntityDescription.entity("Person", .text("name"), .text("firm"), .text("labels")),
      EntityDescription.entity("Archive", .text("text")),
    ]
    let back = MigrationStep(
      "back", needs: ["Company", "Tag"],
      discards: ["Company", "Tag", "Person.employer: Company", "Person.tags: [Tag]"]
    ) { step in
      var names: [MigrationID: String] = [:]
      try step.each("Company") { old, _ in
        names[old.id] = old["name"]
        #expect(try old.links("staff").count == (old["name"] == "acme" ? 2 : 1))
        try step.insert("Archive") { $0["text"] = old["name"] as String? }
      }
      try step.each("Tag") { old, _ in names[old.id] = old["name"] }
      #expect(try step.count("Company") == 2 && step.count("Archive") == 2)
      try step.each("Person") { old, new in
        new["firm"] = try old.link("employer").flatMap { names[$0] }
        new["labels"] = try old.links("tags").compactMap { names[$0] }.joined(separator: ",")
      }
    }
    try store.open(flat, .steps(back)) { _ in }
    #expect(
      store.texts(
        "SELECT ZNAME || ' ' || ifnull(ZFIRM, '-') || ' ' || ZLABELS FROM ZPERSON ORDER BY Z_PK")
        == ["jack acme b,a", "jill acme a", "joe best ", "jane - c,b,a"])
    #expect(store.texts("SELECT ZTEXT FROM ZARCHIVE ORDER BY Z_PK") == ["acme", "best"])
  }

  @Test func `nothing is written to what goes`() throws {
    let store = try filled()
    try store.open(Self.new, .steps(Self.employers, Self.tags)) { _ in }
    let less = [EntityDescription.entity("Person", .text("name"))]
    let write = MigrationStep(
      "write", discards: ["Company", "Tag", "Person.employer: Company", "Person.tags: [Tag]"]
    ) { step in
      try step.each("Company") { _, new in new["name"] = "x" }
    }
    #expect(try store.refusal(less, write).code == .migrationNoPath)
  }

  @Test func `one to one leads to one, and hierarchies know whereto`() throws {
    let animal = EntityDescription.entity(
      "Animal", isAbstract: true, .text("name"), .one("owner", "Person", "pet"))
    let entities = [
      animal, EntityDescription.entity("Cat", below: "Animal"),
      EntityDescription.entity("Dog", below: "Animal", .text("sound")),
      EntityDescription.entity("Person", .text("name"), .one("pet", "Animal", "owner")),
    ]
    let store = try DayTwo()
    try store.open(entities) { context in
      for name in ["jack", "jill"] {
        try context.insertNewObject(forEntityName: "Person").setValue(name, forKey: "name")
      }
    }
    let give = MigrationStep("give") { step in
      let jack = try #require(try step.first("Person", where: "name", equals: "jack"))
      let jill = try #require(try step.first("Person", where: "name", equals: "jill"))
      let tom = try step.insert("Cat") { new in
        new["name"] = "tom"
        try new.link("owner", to: jack)
      }
      let rex = try step.insert("Dog") { $0["name"] = "rex" }
      try step.link(jill, "pet", to: rex)
      // Jill takes the cat: the dog and jack have nobody.
      try step.link(jill, "pet", to: tom)
      #expect(try step.links(jack, "pet").isEmpty)
      #expect(try step.links(rex, "owner").isEmpty)
      #expect(try step.links(tom, "owner") == [jill])
      #expect(try step.count("Animal") == 2)
    }
    try store.open(entities, .steps(give)) { context in
      var request = FetchRequest<ManagedObject>(entityName: "Person")
      request.sortKeys = [SortKey("name")]
      let people = try context.fetch(request)
      let pet = try #require(people[1].value(forKey: "pet") as? ManagedObject)
      #expect(pet.entity.name == "Cat")
      #expect(people[0].value(forKey: "pet") == nil)
      let owner = pet.value(forKey: "owner") as? ManagedObject
      #expect(owner === people[1])
    }
  }
}
