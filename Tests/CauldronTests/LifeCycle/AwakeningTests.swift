import Cauldron
import CauldronModel
import TestSupport
import Testing

/// An entity whose class is told of its rows, with one below that is not marked so.
@Entity class Text: ManagedObject {
  var words: String = ""
  var length: Int = 0
  @Relationship(inverse: "next") var previous: Text?
  @Relationship(inverse: "previous") var next: Text?
  @Transient var count: Int = -1

  override func awakeFromFetch() {
    count = words.split(separator: " ").count
    length = words.count
  }
}

@Entity final class Heading: Text {
  var level: Int = 1
}

/// An entity that is told of its rows although the one above, with the name, is not.
@Entity class Figure: ManagedObject {
  var name: String = ""
  @Transient var calls: [String] = []
}

@Entity final class Circle: Figure {
  var radius: Double = 1

  override func awakeFromFetch() { calls.append("awake \(name)") }
}

/// What objects make of their rows where these are read is no change.
@Suite(.againstHanging) struct AwakeningTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file, model: ManagedObjectModel(Text.self, Heading.self))
    context = bench.committed()
  }

  private func stored(_ words: String...) throws -> [ManagedObjectID] {
    let maker = bench.committed()
    let ids = words.map { words in
      let text = Text.create(in: maker)
      text.words = words
      return text.objectID
    }
    try maker.save()
    return ids
  }

  private func text(_ id: ManagedObjectID, in context: ManagedObjectContext) throws -> Text {
    try #require(context.object(with: id) as? Text)
  }

  @Test func `what awakeFromFetch sets shows, and is no change`() throws {
    let id = try stored("one two")[0]
    let object = try text(id, in: context)
    #expect(object.length == 7 && object.count == 2)
    #expect(!object.hasChanges && !context.hasChanges && object.changedValues().isEmpty)
    #expect(object.committedValues()["length"] == .integer(0))
    context.processPendingChanges()
    try context.save()
    #expect(object.length == 7)
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.integers("SELECT ZLENGTH FROM ZTEXT") == [0])
  }

  @Test(arguments: [
    "getter", "setter", "value", "transient", "reference", "load", "fetch", "exists",
  ])
  func `every way to a fault's values has it told first`(_ way: String) throws {
    let id = try stored("one two three")[0]
    let object = try text(id, in: context)
    switch way {
    case "getter": _ = object.words
    case "setter": object.words = "one two three four"
    case "value": _ = object.value(forKey: "words")
    case "transient": #expect(object.count == 3)
    case "reference": _ = object.next
    case "load": try object.load()
    case "fetch": _ = try Text.findAll(in: context)
    default: _ = try context.existingObject(with: id)
    }
    #expect(object.count == 3)
  }

  @Test func `an edit of another property saves that alone, and nobody sees the rest`() throws {
    let id = try stored("one two")[0]
    let parent = bench.child("parent")
    let child = bench.child("child", of: parent)
    let object = try text(id, in: child)
    object.words = "three"
    #expect(object.length == 7 && Set(object.changedValues().keys) == ["words"])
    child.processPendingChanges()
    #expect(object.length == 7 && Set(object.changedValues().keys) == ["words"])
    try child.save()
    #expect(object.length == 7 && object.changedValues().isEmpty)
    let above = try text(id, in: parent)
    #expect(above.words == "three" && above.length == 5, "of the row that it was read from")
    object.words += "!"
    try child.saveAndWait(toPersistentStore: true)
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.integers("SELECT ZLENGTH FROM ZTEXT") == [0])
    #expect(other.integers("SELECT count(*) FROM ZTEXT WHERE ZWORDS = 'three!'") == [1])
  }

  @Test func `what it has set and is edited is saved, in conflict with others' edits`()
    throws
  {
    let id = try stored("one two")[0]
    let object = try text(id, in: context)
    #expect(object.length == 7)
    object.length = 9
    #expect(Set(object.changedValues().keys) == ["length"])
    let other = bench.committed()
    let theirs = try text(id, in: other)
    theirs.words = "x"
    try other.save()
    try context.save()
    #expect(object.length == 9)
    let file = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(file.integers("SELECT ZLENGTH FROM ZTEXT") == [9])
    theirs.length = 3
    let error = cauldronError { try other.save() }
    #expect(error?.code == .saveConflict)
    #expect(error?.conflicts.first?.properties.map(\.name) == ["length"])
  }

  @Test func `others' values are shown where they are taken in`() throws {
    let id = try stored("one two")[0]
    context.automaticallyMergesChangesFromParent = true
    let object = try text(id, in: context)
    #expect(object.length == 7)
    let other = bench.committed()
    let theirs = try text(id, in: other)
    theirs.words = "x"
    theirs.length = 44
    try other.save()
    context.processPendingChanges()
    #expect(object.words == "x" && object.length == 44 && !context.hasChanges)
  }

  @Test func `a deletion and a rollback of what was set by it work`() throws {
    let ids = try stored("one two", "three")
    let (first, second) = (try text(ids[0], in: context), try text(ids[1], in: context))
    #expect(first.length == 7 && second.length == 5)
    first.words = "x"
    context.rollback()
    #expect(first.words == "one two" && !context.hasChanges)
    second.delete()
    try context.save()
    #expect(try Text.count(in: bench.committed()) == 1)
  }

  @Test func `a relationship that is set while it awakes is a change, with its other side`() throws
  {
    let bench = try Creature.bench()
    let context = bench.committed()
    let ids = try bench.creatures("owner", "pet")
    bench.tale.on("awakeFromFetch") { object in
      guard object.name == "pet", object.owner == nil else { return }
      object.owner = object.managedObjectContext?.object(with: ids[0]) as? Creature
    }
    let pet = try #require(context.object(with: ids[1]) as? Creature)
    #expect(pet.name == "pet" && pet.owner?.name == "owner")
    #expect(pet.owner?.pets.objects == [pet] && Set(pet.changedValues().keys) == ["owner"])
    try context.save()
    let stored = try #require(try Creature.find(ids[1], in: bench.committed()))
    #expect(stored.owner?.objectID == ids[0])
  }

  @Test func `subclasses inherit it, with their own properties`() throws {
    let maker = bench.committed()
    let heading = Heading.create(in: maker)
    heading.words = "a b c"
    try maker.save()
    let fault = try #require(context.object(with: heading.objectID) as? Heading)
    #expect(fault.level == 1 && fault.count == 3)
    context.refresh(fault, mergeChanges: false)
    fault.level = 2
    #expect(fault.count == 3 && Set(fault.changedValues().keys) == ["level"])
  }

  @Test func `where only a subclass has it, it is told at the next access to something of its own`()
    throws
  {
    let bench = try Bench(.file, model: ManagedObjectModel(Figure.self, Circle.self))
    let maker = bench.committed()
    let circle = Circle.create(in: maker)
    circle.name = "c"
    let plain = Figure.create(in: maker)
    try maker.save()
    let context = bench.committed()
    let fault = try #require(context.object(with: circle.objectID) as? Circle)
    #expect(fault.name == "c")
    #expect(fault.radius == 1 && fault.calls == ["awake c"])
    let other = try #require(context.object(with: plain.objectID) as? Figure)
    #expect(other.name == "" && other.calls == [])
    context.refresh(fault, mergeChanges: false)
    #expect(fault.name == "c")
    context.processPendingChanges()
    #expect(fault.primitiveValue(forKey: "calls") as? [String] == ["awake c"])
  }

  @Test func `it is told once of each reading, however many are read`() throws {
    let bench = try Creature.bench()
    let maker = bench.committed()
    for number in 0..<600 { Creature.named("\(number)", in: maker) }
    try maker.save()
    _ = bench.tale.take()
    let context = bench.committed()
    let all = try Creature.findAll(in: context)
    #expect(all.count == 600 && bench.tale.take().count == 600)
    #expect(all.allSatisfy { $0.count == 7 } && bench.tale.take().isEmpty)
    context.refreshAllObjects()
    _ = bench.tale.take()
    #expect(all.allSatisfy { $0.count == 7 } && bench.tale.take().count == 600)
  }
}
