import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// When steps of a plan run, and what they see and leave.
@Suite(.againstHanging) struct StepTests {
  private static let first = [EntityDescription.entity("Person", .text("name"))]
  private static let second = [
    EntityDescription.entity(
      "Person", .text("given", isOptional: false), .text("family"))
  ]

  private func filled(_ names: [String] = ["Ada Lovelace", "Plato"]) throws -> DayTwo {
    let store = try DayTwo()
    try store.open(Self.first) { context in
      for name in names {
        try context.insertNewObject(forEntityName: "Person").setValue(name, forKey: "name")
      }
    }
    return store
  }

  private func split(_ tally: Tally = Tally()) -> MigrationStep {
    MigrationStep("split name", needs: ["Person.name"], discards: ["Person.name: String"]) { step in
      tally.note("split")
      try step.each("Person") { old, new in
        let name: String = old["name"] ?? ""
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        new["given"] = parts.first
        new["family"] = parts.count > 1 ? parts[1] : nil
      }
    }
  }

  private func pairs(_ store: DayTwo) -> [String] {
    store.texts("SELECT ZGIVEN || '/' || ifnull(ZFAMILY, '-') FROM ZPERSON ORDER BY Z_PK")
  }

  @Test func `a step makes two attributes of one, which goes`() throws {
    let store = try filled()
    let tally = Tally()
    try store.open(Self.second, .steps(split(tally))) { context in
      let all = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
      #expect(Set(all.map { $0.value(forKey: "given") as? String }) == ["Ada", "Plato"])
    }
    #expect(pairs(store) == ["Ada/Lovelace", "Plato/-"])
    #expect(store.texts("SELECT sql FROM sqlite_master WHERE sql LIKE '%ZNAME%'").isEmpty)
    let line = store.log.lines.first { $0.message.hasPrefix("→ Migrating") }
    #expect(line?.message.contains("step \"split name\"") == true)
    #expect(FileManager.default.fileExists(atPath: Stack.backupURL(storeURL: store.url).path))
    // It is recorded.
    try store.open(Self.second, .steps(split(tally))) { _ in }
    #expect(tally.words == ["split"])
  }

  @Test func `a table of several pages is passed whole, and once`() throws {
    let names = (0..<2_500).map { "a\($0) b\($0)" }
    let store = try filled(names)
    try store.open(Self.second, .steps(split())) { _ in }
    #expect(pairs(store).count == 2_500)
    #expect(Set(pairs(store)) == Set((0..<2_500).map { "a\($0)/b\($0)" }))
    #expect(store.texts("SELECT DISTINCT Z_OPT FROM ZPERSON") == ["2"])
    #expect(
      store.texts("SELECT name FROM sqlite_master WHERE name LIKE 'Z!_STEP%' ESCAPE '!'") == [])
  }

  @Test func `a new store needs no step`() throws {
    let store = try DayTwo()
    let tally = Tally()
    let other = MigrationStep("other") { _ in tally.note("other") }
    for _ in 0..<2 { try store.open(Self.second, .steps(split(tally), other)) { _ in } }
    #expect(tally.words.isEmpty)
  }

  @Test func `a store of the model that does not record a step runs it once`() throws {
    let store = try filled()
    let tally = Tally()
    let shout = MigrationStep("shout", needs: ["Person.name"]) { step in
      tally.note("shout")
      try step.each("Person") { old, new in
        new["name"] = (old["name"] ?? "").uppercased()
      }
    }
    let absent = MigrationStep("absent", needs: ["Company"]) { _ in tally.note("absent") }
    for _ in 0..<2 { try store.open(Self.first, .steps(absent, shout)) { _ in } }
    #expect(tally.words == ["shout"])
    let lines = store.log.lines.filter { $0.message.hasPrefix("→ Migrating") }
    #expect(lines.count == 1)
    #expect(lines.first?.message.contains("sqlite: step \"shout\" (2 rows") == true)
    #expect(store.texts("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK") == ["ADA LOVELACE", "PLATO"])
    // What was not needed is recorded, too: an entity of that name would be another one.
    let more = Self.first + [EntityDescription.entity("Company", .text("name"))]
    try store.open(more, .steps(absent, shout)) { _ in }
    try store.open(more, .steps(absent, shout)) { _ in }
    #expect(tally.words == ["shout"])
  }

  @Test func `other metadata stay, and so does the record without a plan`() throws {
    let store = try filled()
    let tally = Tally()
    let note = MigrationStep("note") { _ in tally.note("note") }
    try store.open(Self.first, .steps(note)) { _ in }
    try store.open(Self.first + [EntityDescription.entity("Other", .text("x"))]) { _ in }
    try store.open(Self.first + [EntityDescription.entity("Other", .text("x"))], .steps(note)) {
      _ in
    }
    #expect(tally.words == ["note"])
  }

  @Test func `versions may be left out: steps run in the plan's order and see what others wrote`()
    throws
  {
    let store = try filled()
    let third = [
      EntityDescription.entity(
        "Person", .text("given", isOptional: false), .text("family"), .text("initials"))
    ]
    let tally = Tally()
    let initials = MigrationStep("initials", needs: ["Person"]) { step in
      tally.note("initials")
      try step.each("Person") { old, new in
        // The column that goes has its value still.
        #expect(old["name"] as String? != nil)
        let given: String = new["given"] ?? "?"
        let family: String = new["family"] ?? "?"
        new["initials"] = "\(given.prefix(1))\(family.prefix(1))"
      }
    }
    try store.open(third, .steps(split(tally), initials)) { _ in }
    #expect(tally.words == ["split", "initials"])
    #expect(store.texts("SELECT ZINITIALS FROM ZPERSON ORDER BY Z_PK") == ["AL", "P?"])
  }

  @Test func `a column that was renamed is read by its old name as it is now`() throws {
    let store = try filled()
    let renamed = [
      EntityDescription.entity("Human", from: ["Person"], .text("title", from: "name"))
    ]
    let one = MigrationStep("one", needs: ["Person.name"]) { step in
      try step.each("Person") { old, new in new["title"] = (old["name"] ?? "") + "!" }
    }
    let two = MigrationStep("two", needs: ["Person.name"]) { step in
      let count = try step.count("Person")
      try step.each("Person") { old, new in new["title"] = (old["name"] ?? "") + "\(count)" }
    }
    try store.open(renamed, .steps(one, two)) { _ in }
    #expect(
      store.texts("SELECT ZTITLE FROM ZHUMAN ORDER BY Z_PK") == ["Ada Lovelace!2", "Plato!2"])
  }

  @Test func `what a step discards counts in the migration that runs it, and in no other`() throws {
    let store = try filled()
    let early = MigrationStep(
      "early", needs: ["Person"], discards: ["Person.name: String"]
    ) { _ in }
    try store.open(Self.first, .steps(early)) { _ in }
    let less = [EntityDescription.entity("Person", .text("other"))]
    let error = try store.refusal(less, early)
    #expect(error.code == .migrationWouldDiscard)
    // A store that has not run it may lose it.
    let another = try filled()
    try another.open(less, .steps(early)) { _ in }
  }

  @Test func `an entity that was renamed is named as in the store`() throws {
    let store = try filled()
    let step = MigrationStep("s", needs: ["Person"], discards: ["Person.name: String"]) { _ in }
    let renamed = [EntityDescription.entity("Human", from: ["Person"], .text("x"))]
    try store.open(renamed, .steps(step)) { _ in }
    #expect(store.texts("SELECT count(*) FROM ZHUMAN") == ["2"])
  }

  @Test func `without its plan the same change is refused`() throws {
    let store = try filled()
    #expect(store.refusal(Self.second)?.details.count == 2)
  }

  @Test func `a store that is only read runs no step`() throws {
    let store = try filled()
    var configuration = StackConfiguration()
    configuration.logger = store.log.logger
    configuration.readOnly = true
    let model = try ManagedObjectModel(entities: Self.first)
    configuration.migration = .steps(MigrationStep("absent", needs: ["Company"]) { _ in })
    try Stack(storeURL: store.url, model: model, configuration: configuration).close()
    configuration.migration = .steps(split())
    let error = #expect(throws: CauldronError.self) {
      try Stack(storeURL: store.url, model: model, configuration: configuration).close()
    }
    #expect(error?.code == .migrationReadOnly)
  }
}
