import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// Whatever goes wrong in a step, the error says where, and the file stays as it was.
@Suite(.againstHanging) struct StepErrorTests {
  private static let old = [
    EntityDescription.entity("Person", .text("name"), .number("age", .integer16))
  ]
  private static let new = [
    EntityDescription.entity(
      "Person", .text("name"), .number("age", .integer16), .text("mail", isOptional: false))
  ]

  private func filled() throws -> DayTwo {
    let store = try DayTwo()
    try store.open(Self.old) { context in
      for number in 0..<3 {
        let person = try context.insertNewObject(forEntityName: "Person")
        try person.setValue("p\(number)", forKey: "name")
        try person.setValue(Int16(number), forKey: "age")
      }
    }
    return store
  }

  /// A step that gives everybody a mail, and then does what else is to be done.
  private func step(
    _ work: @escaping @Sendable (MigrationContext) throws -> Void
  ) -> MigrationStep {
    MigrationStep("mails") { step in
      try step.each("Person") { old, new in new["mail"] = old["name"] as String? }
      try work(step)
    }
  }

  private struct Refusal: Error {}

  @Test func `what a step throws is in the error, with the step's name`() throws {
    let error = try filled().refusal(Self.new, step { _ in throw Refusal() })
    #expect(error.code == .migrationStepFailed)
    #expect(error.message.contains("step \"mails\" has thrown Refusal"))
    #expect(error.underlying is Refusal)
  }

  @Test func `what a step has deleted is not written to`() throws {
    let error = try filled().refusal(
      Self.new,
      step { step in
        try step.each("Person") { old, new in
          new["name"] = "x"
          try step.delete(old.id)
        }
      })
    #expect(error.code == .objectNotFound)
    #expect(error.message.contains("it was deleted in the same step"))
  }

  @Test func `many are not led to nothing`() throws {
    let store = try filled()
    let model = [
      EntityDescription.entity("Person", .text("name"), .many("pets", "Pet", "owner")),
      .entity("Pet", .one("owner", "Person", "pets")),
    ]
    let error = try store.refusal(
      model,
      MigrationStep("clear", discards: ["Person.age: Int16"]) { step in
        try step.each("Person") { _, new in try new.link("pets", to: nil) }
      })
    #expect(error.code == .queryTypeMismatch)
    #expect(error.message.contains("Cannot lead Person.pets to nothing"))
  }

  @Test func `an object is not linked whose key no link has room for`() throws {
    func entities(_ more: PropertyDescription...) -> [EntityDescription] {
      let friends = RelationshipDescription(
        name: "friends", destination: "Person", inverse: "fans", isToMany: true)
      let fans = RelationshipDescription(
        name: "fans", destination: "Person", inverse: "friends", isToMany: true)
      return [
        EntityDescription(
          name: "Person",
          properties: [.text("name"), .relationship(friends), .relationship(fans)] + more)
      ]
    }
    let store = try DayTwo()
    try store.open(entities()) { _ = try $0.insertNewObject(forEntityName: "Person") }
    #expect(OtherConnection(store.url).run("UPDATE ZPERSON SET Z_PK = \(1 << 30)"))
    let link = MigrationStep("friends") { step in
      try step.each("Person") { _, new in try new.link("friends", to: new.id) }
    }
    let error = try store.refusal(entities(.text("mail")), link)
    #expect(error.message.contains("Cannot link the object with the key 1073741824"))
  }

  @Test func `a table that is not the one of its model is named`() throws {
    let store = try filled()
    #expect(OtherConnection(store.url).run("ALTER TABLE ZPERSON RENAME COLUMN ZNAME TO ZX"))
    let error = try store.refusal(Self.new, step { _ in })
    #expect(error.message.contains("Cannot migrate"))
    #expect(error.message.contains("table ZPERSON has no column ZNAME"))
  }

  @Test func `names that lead nowhere are told, caught or not`() throws {
    let store = try filled()
    let works: [@Sendable (MigrationContext) throws -> Void] = [
      { try $0.each("Persons") { _, _ in } },
      { try $0.each("Person") { old, _ in _ = old["nmae"] as String? } },
      { try $0.each("Person") { _, new in new["nmae"] = "x" } },
      { try $0.each("Person") { _, new in try new.link("nmae", to: new.id) } },
      { try $0.each("Person") { _, new in try new.link("name", to: new.id) } },
      { try $0.insert("Company") },
      { _ = try? $0.insert("Company") },
      { _ = try? $0.first("Person", where: "nmae", equals: "x") },
      { try? $0.each("Person") { _, new in new["nmae"] = nil } },
    ]
    for work in works {
      let error = try store.refusal(Self.new, step(work))
      #expect(error.code == .migrationNoPath)
      #expect(error.message.contains("step \"mails\""))
    }
    let error = try store.refusal(
      Self.new, step { try $0.each("Person") { old, _ in _ = old["nmae"] } })
    #expect(error.hint == "Did you mean \"name\"?")
  }

  @Test func `values that an attribute cannot have are told`() throws {
    let store = try filled()
    let works: [@Sendable (MigrationContext) throws -> Void] = [
      { try $0.each("Person") { _, new in new["age"] = "x" } },
      { try $0.each("Person") { _, new in new["age"] = 40_000 } },
      { try $0.each("Person") { _, new in new["name"] = 7 } },
      { try $0.each("Person") { old, _ in _ = old["name"] as Int? } },
      { _ = try $0.first("Person", where: "age", equals: "x") },
    ]
    for work in works {
      #expect(try store.refusal(Self.new, step(work)).code == .queryTypeMismatch)
    }
  }

  @Test func `objects that are not there are told`() throws {
    let store = try filled()
    let error = try store.refusal(
      Self.new,
      step { step in
        let id = try step.insert("Person") { $0["mail"] = "x" }
        try step.delete(id)
        try step.delete(id)
      })
    #expect(error.code == .objectNotFound)
  }

  @Test func `a required attribute that has no value afterwards is told`() throws {
    let store = try filled()
    let some = MigrationStep("some") { step in
      try step.each("Person") { old, new in
        if old["name"] != "p1" { new["mail"] = old["name"] as String? }
      }
    }
    let error = try store.refusal(Self.new, some)
    #expect(error.code == .migrationMissingValue)
    #expect(error.message.contains("1 objects have no value after the steps, such as p2"))
    let inserted = try store.refusal(Self.new, step { try $0.insert("Person") })
    #expect(inserted.code == .migrationMissingValue)
  }

  @Test func `a unique value that is there twice afterwards is told`() throws {
    var unique = Self.new[0]
    unique.uniquenessConstraints = [["mail"]]
    let store = try filled()
    let same = MigrationStep("same") { step in
      try step.each("Person") { _, new in new["mail"] = "x" }
    }
    let error = try store.refusal([unique], same)
    #expect(error.code == .migrationNotUnique)
    #expect(error.message.contains("such as x"))
    try store.open([unique], .steps(step { _ in })) { _ in }
    // Where the index is there, the second one is refused at once.
    #expect(try store.refusal([unique], same).code == .migrationNotUnique)
  }

  @Test func `numbers that do not fit may be put right, or are told`() throws {
    let store = try filled()
    let wide = [EntityDescription.entity("Person", .text("name"), .number("age", .integer64))]
    try store.open(wide) { context in
      let all = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
      try all[0].setValue(100_000, forKey: "age")
    }
    let idle = MigrationStep("idle") { _ in }
    #expect(try store.refusal(Self.old, idle).code == .migrationOutOfRange)
    let clamp = MigrationStep("clamp") { step in
      try step.each("Person") { old, new in new["age"] = min(old["age"] ?? 0, 200) }
    }
    try store.open(Self.old, .steps(clamp)) { _ in }
    #expect(store.texts("SELECT max(ZAGE) FROM ZPERSON") == ["200"])
  }

  @Test func `the same store cannot be opened within a step`() throws {
    let store = try filled()
    let url = store.url
    let error = try store.refusal(
      Self.new,
      step { _ in
        try Stack(storeURL: url, model: ManagedObjectModel(entities: Self.old)).close()
      })
    #expect(error.code == .storeAlreadyOpen)
    #expect(error.message.contains("step \"mails\""))
  }

  @Test func `setting up a stack within a step is an error, too`() async {
    await #expect(processExitsWith: .success) {
      let store = try DayTwo()
      try store.open(Self.old) { _ in }
      let model = try ManagedObjectModel(entities: Self.old)
      let url = store.url
      var configuration = StackConfiguration()
      configuration.logger = store.log.logger
      configuration.migration = .steps(
        MigrationStep("again") { _ in
          #expect(!Stack.isSetUp)
          let error = #expect(throws: CauldronError.self) {
            try setupStack(storeURL: url, model: model)
          }
          #expect(error?.code == .stackAlreadySetUp)
          #expect(throws: CauldronError.self) { try Stack.cleanUp() }
        })
      try setupStack(storeURL: url, model: model, configuration: configuration)
      #expect(Stack.isSetUp)
      try Stack.cleanUp()
    }
  }

  @Test func `a context is of no use afterwards`() throws {
    let store = try filled()
    let kept = Kept()
    try store.open(Self.new, .steps(step { kept.context = $0 })) { _ in }
    let error = #expect(throws: CauldronError.self) { try kept.context?.count("Person") }
    #expect(error?.code == .migrationStepFailed)
  }

  /// Breaks the rule that a context stays in its step.
  private final class Kept: @unchecked Sendable {
    var context: MigrationContext?
  }

  @Test func `a plan of two steps with one name opens nothing`() throws {
    let store = try DayTwo()
    let error = store.refusal(Self.old, .steps(step { _ in }, step { _ in }))
    #expect(error?.code == .migrationInvalidPlan)
    #expect(!FileManager.default.fileExists(atPath: store.url.path))
  }
}
