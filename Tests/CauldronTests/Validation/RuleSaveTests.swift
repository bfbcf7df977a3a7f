import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport
import Testing

@Suite(.againstHanging) struct RuleSaveTests {
  /// A chore that breaks one rule, with what is said of it.
  struct Breach: Sendable, CustomTestStringConvertible {
    let property: String
    let code: CauldronError.Code
    let number: Int
    let message: String
    let spoil: @Sendable (Chore) -> Void

    var testDescription: String { property }

    static let all = [
      Breach("name", .validationTooLong, 1660, "must have at most 10 UTF-16 units.") {
        $0.name = "a secret, and too long"
      },
      Breach("name", .validationTooShort, 1670, "must have at least 1 UTF-16 unit.") {
        $0.name = ""
      },
      Breach("priority", .validationTooLarge, 1610, "must be at most 5.") { $0.priority = 77 },
      Breach("priority", .validationTooSmall, 1620, "must be at least 0.") { $0.priority = -77 },
      Breach("share", .validationTooLarge, 1610, "must be at most 1.0.") { $0.share = 77 },
      Breach("due", .validationTooLate, 1630, "must not be after 2001-01-12T13:46:40Z.") {
        $0.due = Date(timeIntervalSinceReferenceDate: 77_000_000)
      },
      Breach("mail", .validationNoMatch, 1680, "must match \"[a-z]+@[a-z.]+\".") {
        $0.mail = "secret"
      },
      Breach("count", .validationFailed, 1550, "must be even.") { $0.count = 77 },
      Breach("effort", .validationTooLarge, 1610, "must be at most 60.0 seconds.") {
        $0.effort = .seconds(77)
      },
      Breach("price", .validationTooLarge, 1610, "must be at most 100.") { $0.price = 777 },
      Breach("color", .validationNoMatch, 1680, "must match \"red|green\".") { $0.color = .blue },
      Breach("project", .validationMissing, 1570, "is required.") { $0.project = nil },
    ]

    private init(
      _ property: String, _ code: CauldronError.Code, _ number: Int, _ rest: String,
      _ spoil: @escaping @Sendable (Chore) -> Void
    ) {
      (self.property, self.code, self.number) = (property, code, number)
      message = "Chore.\(property) \(rest)"
      self.spoil = spoil
    }
  }

  @Test(arguments: Breach.all, StoreKind.allCases)
  func `a value that breaks a rule is refused with Core Data's number, and no value is shown`(
    breach: Breach, kind: StoreKind
  ) throws {
    let bench = try Workshop.bench(kind)
    let context = bench.child()
    let chore = Workshop.project(tasks: 3, in: context).tasks.objects[0]
    breach.spoil(chore)
    let error = cauldronError { try context.save() }
    #expect(error?.code == breach.code && error?.code.coreDataCode == breach.number)
    #expect(error?.message == breach.message)
    #expect(error?.entity == "Chore" && error?.property == breach.property)
    #expect(error?.objectIDs == [chore.objectID] && error?.contextName == "Child")
    #expect(error?.description.contains("secret") == false)
    #expect(error?.description.contains("77") == false)
    #expect(context.hasChanges && !bench.root.hasChanges)
  }

  @Test(arguments: Breach.all)
  func `a changed value is refused, too, and what was saved stays`(breach: Breach) throws {
    let bench = try Workshop.bench()
    let context = bench.child()
    let chore = Workshop.project(tasks: 3, in: context).tasks.objects[0]
    try context.saveAndWait(toPersistentStore: true)
    breach.spoil(chore)
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == breach.code && error?.objectIDs == [chore.objectID])
    context.rollback()
    try context.save()
    #expect(try Chore.findFirst(in: bench.committed())?.priority == 0)
  }

  @Test func `nothing is checked when a value is set`() throws {
    let context = try Workshop.bench().child()
    let chore = Workshop.project(tasks: 2, in: context).tasks.objects[0]
    chore.priority = 9
    context.processPendingChanges()
    #expect(chore.priority == 9)
    chore.priority = 5
    try context.save()
  }

  @Test func `a value that broke a rule before there was one fails only its own change`() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("store.sqlite")
    let before = try Stack(storeURL: url, model: Self.model([]))
    try before.rootSavingContext.performAndWait { root in
      let part = try root.insertNewObject(forEntityName: "Part")
      try part.setValue(9, forKey: "size")
      try root.save()
    }
    try before.close()
    let stack = try Stack(storeURL: url, model: Self.model([.range(0...5)]))
    try stack.rootSavingContext.performAndWait { root in
      let part = try #require(try root.fetch(FetchRequest(entityName: "Part")).first)
      try part.setValue("x", forKey: "label")
      try root.save()
      try part.setValue(8, forKey: "size")
      #expect(cauldronError { try root.save() }?.code == .validationTooLarge)
      try part.setValue(5, forKey: "size")
      try root.save()
    }
    try stack.close()
  }

  @Test func `a required value that was missing before fails only its own change`() throws {
    let bench = try Workshop.bench(.file)
    let context = bench.child()
    let id = Workshop.project(tasks: 2, in: context).tasks.objects[0].objectID
    try context.saveAndWait(toPersistentStore: true)
    #expect(OtherProgram(bench).run("UPDATE ZCHORE SET ZPROJECT = NULL, Z_OPT = Z_OPT + 1"))
    let reader = ManagedObjectContext(
      .private, coordinator: bench.stack.coordinator, name: "Reader")
    let chore = try #require(try Chore.find(id, in: reader))
    reader.refresh(chore, mergeChanges: false)
    #expect(chore.project == nil)
    chore.name = "other"
    try reader.save()
    chore.priority = 9
    #expect(cauldronError { try reader.save() }?.code == .validationTooLarge)
    chore.priority = 0
    chore.project = Workshop.project(tasks: 1, in: reader)
    try reader.save()
    chore.project = nil
    reader.processPendingChanges()
    chore.name = "another"
    let error = cauldronError { try reader.save() }
    #expect(error?.details.map(\.code) == [.validationMissing, .validationTooFew])
  }

  private static func model(_ rules: [AttributeRule]) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Part",
          properties: [
            .attribute(AttributeDescription(name: "size", type: .integer64, rules: rules)),
            .attribute(AttributeDescription(name: "label", type: .string)),
          ])
      ])
  }

  @Test func `all problems are told at once, one for each value`() throws {
    let context = try Workshop.bench().child()
    let chores = Workshop.project(tasks: 2, in: context).tasks.objects
    (chores[0].name, chores[0].priority, chores[1].count) = ("", 9, 1)
    let error = cauldronError { try context.save() }
    #expect(error?.code == .validationMultiple && error?.code.coreDataCode == 1560)
    #expect(error?.message.hasPrefix("3 problems in 2 objects: ") == true)
    #expect(
      Set(error?.details.map(\.code) ?? []) == [
        .validationTooShort, .validationTooLarge, .validationFailed,
      ])
    #expect(Set(error?.objectIDs ?? []) == Set(chores.map(\.objectID)))
  }

  @Test func `of very many problems a hundred are kept, and all are counted`() throws {
    let context = try Workshop.bench().child()
    for number in 0..<250 {
      let chore = Workshop.project(tasks: 2, in: context).tasks.objects[0]
      chore.priority = 9
      if number.isMultiple(of: 2) { chore.count = 1 }
    }
    let error = cauldronError { try context.save() }
    #expect(error?.message.hasPrefix("375 problems in 250 objects: ") == true)
    #expect(error?.message.hasSuffix("… and 355 more.") == true)
    #expect(error?.details.count == 100)
  }

  @Test func `new objects come before changed ones`() throws {
    let context = try Workshop.bench().child()
    let project = Workshop.project(tasks: 2, in: context)
    try context.save()
    let old = project.tasks.objects[0]
    old.priority = 9
    let new = Chore.create(in: context)
    (new.project, new.priority) = (project, 9)
    let error = cauldronError { try context.save() }
    #expect(error?.details.map(\.objectIDs) == [[new.objectID], [old.objectID]])
  }

  @Test func `a value is judged as it is in the end`() throws {
    let bench = try Workshop.bench()
    let context = bench.child()
    let chores = Workshop.project(tasks: 4, in: context).tasks.objects
    for chore in chores { chore.priority = 9 }
    context.processPendingChanges()
    for chore in chores {
      chore.priority = 5
      context.processPendingChanges()
    }
    try context.saveAndWait(toPersistentStore: true)
    for chore in chores.dropLast() {
      chore.priority = 4
      context.processPendingChanges()
    }
    chores[3].priority = 9
    context.processPendingChanges()
    chores[3].count = 2
    #expect(cauldronError { try context.save() }?.property == "priority")
  }

  @Test func `a deleted object keeps no rules`() throws {
    let context = try Workshop.bench().child()
    let project = Workshop.project(tasks: 3, in: context)
    try context.save()
    let chore = project.tasks.objects[0]
    chore.priority = 9
    context.processPendingChanges()
    chore.delete()
    try context.save()
  }

  @Test func `own edits of main that break a rule stay there, and a child's save goes on`()
    async throws
  {
    let bench = try Workshop.bench(.file)
    let context = bench.child(of: bench.mainContext)
    let id = Workshop.project(tasks: 2, in: context).tasks.objects[0].objectID
    try await context.save(toPersistentStore: true)
    try bench.onMain { main in
      try Chore.find(id, in: main)?.priority = 9
      main.processPendingChanges()
    }
    Workshop.project(in: context)
    try await context.save(toPersistentStore: true)
    #expect(try Project.count(in: bench.committed()) == 2)
    #expect(try Chore.count(where: \.priority == 9, in: bench.committed()) == 0)
    #expect(
      bench.log.messages(.warning) == [
        "Own changes of \(bench.mainContext) stay unsaved: Chore.priority must be at most 5."
      ])
    let error = bench.onMain { main in cauldronError { try main.save() } }
    #expect(error?.code == .validationTooLarge && error?.contextName == "Default Context")
  }

  @Test func `own edits of the root are checked by its save`() async throws {
    let bench = try Workshop.bench(.file)
    await bench.root.perform { root in
      let chore = Project.create(in: root).with(tasks: 2).tasks.objects[0]
      chore.mail = "x"
      #expect(cauldronError { try root.save() }?.code == .validationNoMatch)
      chore.mail = "x@y"
      #expect(throws: Never.self) { try root.save() }
    }
    #expect(try Chore.count(where: \.mail == "x@y", in: bench.committed()) == 1)
  }

  @Test func `a save block that breaks a rule saves nothing`() async throws {
    let bench = try Workshop.bench()
    await #expect(throws: CauldronError.self) {
      try await bench.stack.save { context in
        Project.create(in: context).with(tasks: 2).tasks.objects[0].priority = 9
      }
    }
    #expect(try Project.count(in: bench.committed()) == 0)
  }
}
