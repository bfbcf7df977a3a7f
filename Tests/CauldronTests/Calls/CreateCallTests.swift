import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

private struct Refusal: Error {}

@Entity class Plant: ManagedObject {
  var name: String = "plant"
  var height: Int = 0
  @Attribute(.unique) var code: UUID = UUID()
  @Transient var awoken: Int = 0

  convenience init(name: String, context: ManagedObjectContext) {
    self.init(context: context)
    self.name = name
  }

  convenience init(named name: String, in context: LocalContext) {
    self.init(context: context)
    self.name = name
  }

  convenience init?(record: [String: String], context: ManagedObjectContext) {
    guard let name = record["name"] else { return nil }
    self.init(context: context)
    self.name = name
    if record["height"] != nil { return nil }
  }

  convenience init(checked name: String, context: ManagedObjectContext) throws {
    if name.isEmpty { throw Refusal() }
    self.init(name: name, context: context)
    if name == "late" { throw Refusal() }
  }

  override func awakeFromInsert() {
    awoken += 1
    height = 1
  }
}

@Entity final class Tree: Plant {
  var rings: Int = 7

  convenience init() { self.init(name: "tree", context: .default) }
}

@Entity(isAbstract: true) class Soil: ManagedObject {
  var depth: Int = 0
}

/// `Person(context:)`, as Core Data has it.
@Suite(.againstHanging) struct CreateCallTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Self.bench()
    context = bench.child()
  }

  private static func bench() throws -> Bench {
    try Bench(
      .file,
      model: ManagedObjectModel(
        entities: [
          Plant._describeEntity(), Tree._describeEntity(), Soil._describeEntity(),
        ]))
  }

  @Test func `an object that is made by init is what create makes`() throws {
    let (made, created) = (Tree(context: context), Tree.create(in: context))
    for tree in [made, created] {
      #expect(tree.name == "plant" && tree.rings == 7 && tree.height == 1 && tree.awoken == 1)
      #expect(tree.isInserted && tree.managedObjectContext === context)
      #expect(context.registeredObject(for: tree.objectID) === tree)
    }
    #expect(made.code != created.code && made.objectID != created.objectID)
    #expect(context.insertedObjects.count == 2)
    let codes: Set = [made.code, created.code]
    try context.saveAndWait(toPersistentStore: true)
    let later = try bench.reopened()
    let reading = later.child()
    #expect(try Set(Tree.findAll(in: reading).map(\.code)) == codes)
  }

  @Test func `init works on the main context, in blocks and in new contexts without a name`() throws
  {
    let isMain = bench.onMain { main in Tree(context: main).managedObjectContext === main }
    let onMain = try bench.onMain { try Tree.count(in: $0) }
    #expect(isMain && onMain == 1)
    let count = try context.performAndWait { local in
      _ = Tree(context: local)
      _ = Tree(context: context)
      return try Tree.count(in: local)
    }
    #expect(count == 2)
    let tree = Tree(context: ManagedObjectContext(.private, parent: context))
    tree.name = "kept by its edits"
    try tree.managedObjectContext?.save()
    let found = try context.performAndWait { try Tree.count(where: \.name != "plant", in: $0) }
    #expect(found == 1)
  }

  @Test func `initializers of classes call it for each class below`() throws {
    #expect(Plant(name: "fern", context: context).name == "fern")
    let tree = Tree(name: "oak", context: context)
    #expect(tree.name == "oak" && tree.rings == 7 && type(of: tree) == Tree.self)
    let count = try context.performAndWait { local in
      let tree = Tree(named: "elm", in: local)
      #expect(tree.name == "elm" && tree.awoken == 1)
      return try Tree.count(in: local)
    }
    #expect(count == 2)
  }

  @Test func `generic code and types that are values make objects, in every kind of context`() {
    func make<Object: ManagedEntity>(in context: ManagedObjectContext) -> Object {
      Object(context: context)
    }
    func makeLocally<Object: ManagedEntity>(in context: LocalContext) -> Object {
      Object(context: context)
    }
    let kind: Plant.Type = Tree.self
    #expect(type(of: kind.init(context: context)) == Tree.self)
    #expect((make(in: context) as Tree).rings == 7)
    context.performAndWait { local in
      #expect(type(of: kind.init(context: local)) == Tree.self)
      #expect((makeLocally(in: local) as Tree).rings == 7)
    }
  }

  @Test func `an initializer that gives up at first leaves nothing, and later an object`() throws {
    for _ in 0..<100 { #expect(Plant(record: [:], context: context) == nil) }
    #expect(throws: Refusal.self) { try Plant(checked: "", context: context) }
    #expect(!context.hasChanges && context.registeredObjects.isEmpty)
    #expect(Plant(record: ["name": "a", "height": "1"], context: context) == nil)
    #expect(throws: Refusal.self) { try Tree(checked: "late", context: context) }
    #expect(try Plant.findAll(sortedBy: \.name, in: context).map(\.name) == ["a", "late"])
    try context.save()
  }

  @Test func `an object without a context is the short form's, where a class declares it`() {
    Stack.$current.withValue(bench.stack) {
      #expect(bench.onMain { _ in Tree().name } == "tree")
    }
  }

  @Test func `undo takes back what init made`() throws {
    context.undoManager = UndoManager()
    context.performAndWait { _ = Tree(context: $0) }
    try context.performAndWait { try $0.context.undo() }
    #expect(context.performAndWait { !$0.hasChanges })
  }

  @Test func `an abstract entity stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Soil(context: try CreateCallTests.bench().child())
    }
    #expect(result.sentence.contains("Entity \"Soil\" is abstract; create a subentity."))
  }

  @Test func `a class that is not in the model stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Tree(context: try Bench().child())
    }
    #expect(result.sentence.contains("Tree is not in model \"Model\"."))
  }

  @Test func `a class that only inherits its entity's name stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shrub(context: try CreateCallTests.bench().child())
    }
    #expect(result.sentence.contains("Shrub"))
  }

  @Test func `the class of all objects stops the program, and the sentence has the remedy`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ManagedObject(context: try CreateCallTests.bench().child())
    }
    #expect(result.sentence.contains("insertNewObject(forEntityName:)"))
  }

  @Test func `init on another queue stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try CreateCallTests.bench().child("notes")
      await context.perform {}
      _ = Tree(context: context)
    }
    #expect(result.sentence.contains("notes"))
  }
}

/// Nobody marked it `@Entity`.
private class Shrub: Plant {}
