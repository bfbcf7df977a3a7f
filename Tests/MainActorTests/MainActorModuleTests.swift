import Cauldron
import CauldronTesting
import Foundation
import TestSupport
import Testing

extension Fixture {
  nonisolated static let bugs = Fixture { context in
    let project = Project(context: context)
    project.name = "Cauldron"
    let bug = Bug(title: "left out", context: context.context)
    bug.raise()
    bug.project = project
    bug.address = Address(street: "Main")
    bug.size = Item.Size(width: 4)
    let tag = Tag(context: context)
    tag.name = "new"
    tag.kind = .urgent
    tag.level = .high
    bug.tags.insert(tag)
    bug.parts.append(Item(title: "part", context: context.context))
  }
}

/// What a module's default isolation makes the main actor's must not become a hindrance: neither to
/// objects on other queues, nor to the code that is on the main actor.
@Suite(
  .againstHanging,
  .stack(
    .bugs, entities: Tag.self, Item.self, Bug.self, Project.self, Models.Shape.self,
    Models.Circle.self))
struct MainActorModuleTests {
  @Test func `the main actor sees what the background saved, of every kind of property`() throws {
    let bug = try #require(try Bug.findFirst(\.title, "left out"))
    #expect(bug.address == Address(street: "Main") && bug.size?.width == 4)
    #expect(bug.words == ["left", "out"])
    #expect(bug.project?.name == "Cauldron")
    #expect(bug.tags.map(\.shownName) == ["the Tag"])
    #expect(bug.tags.map(\.kind) == [.urgent] && bug.tags.map(\.level) == [.high])
    #expect(bug.parts.map(\.title) == ["part"])
    #expect(try Item.findAll(sortedBy: \.title).map(\.line) == ["1 left out", "0 part"])
    #expect(try Project.findFirst(in: .default)?.itemCount == 1)
  }

  @Test func `hooks run where their object is, on the main queue and on another`() async throws {
    let context = ManagedObjectContext.contextWithParent(.default)
    let shown = try await context.perform {
      let bug = try #require(try Bug.findFirst(in: context))
      let read = bug.shown
      bug.raise()
      try context.save()
      return [read, bug.shown, bug.lineOffMain]
    }
    #expect(shown == ["LEFT OUT", "saved", "2 left out"])
    let item = Item.create()
    #expect(item.title == "new")
    item.title = "on main"
    try await ManagedObjectContext.default.save(toPersistentStore: true)
    #expect(item.words == ["on", "main"] && item.shown == "saved")
  }

  @Test func `a validation that the class has itself refuses a save in the background`() async {
    let code = await Stack.default.code { context in Item(title: "", context: context.context) }
    #expect(code == .validationFailed)
  }

  @Test func `imports call the functions of a class`() throws {
    let record: [String: Any] = [
      "code": UUID().uuidString, "title": "an import", "priority": 4, "severity": 2,
    ]
    let bug = try #require(try Bug.importFrom([record], in: .default).first)
    #expect(bug.title == "An Import" && bug.priority == 0 && bug.severity == 3)
  }

  @Test func `entities inside a type, abstract ones and unique values work as elsewhere`() throws {
    Models.Circle(context: .default).r = 2
    #expect(try Models.Shape.findAll().map(\.n) == [0])
    #expect(try Tag.findOrCreate(\.name, "new", in: .default).kind == .urgent)
  }

  @Test func `a list on the main actor follows a save in the background`() async throws {
    let list = FetchedResultsController(Item.where(\.priority >= 1), in: .default)
    try await list.performFetch()
    let before = list.fetchedObjects?.count
    try await Stack.default.save { context in Item(context: context).raise() }
    #expect(before == 1 && list.fetchedObjects?.count == 2)
  }
}

extension Stack {
  /// The code of the error that a save throws.
  nonisolated fileprivate func code(
    _ block: @escaping @Sendable (LocalContext) throws -> some Any
  ) async -> CauldronError.Code? {
    do {
      try await save { context in _ = try block(context) }
      return nil
    } catch {
      return (error as? CauldronError)?.code
    }
  }
}
