import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Objects are told where they were changed, and in the ancestors that have them.
@Suite(.againstHanging) struct AncestorLifeTests {
  @Test(arguments: [true, false])
  func `each level that has the object is told of its own save`(_ rootHasIt: Bool) throws {
    let bench = try Creature.bench()
    let id = try bench.creatures("a")[0]
    let (parent, child) = (bench.child("parent"), bench.child("child"))
    let leaf = bench.child("leaf", of: parent)
    let held = try rootHasIt ? Creature.find(id, in: parent) : nil
    let mine = try #require(try Creature.find(id, in: leaf))
    _ = bench.tale.take()
    mine.name = "b"
    try leaf.save()
    #expect(
      bench.tale.take() == ["leaf: willSave", "leaf: validateForUpdate", "leaf: didSave"])
    try parent.save()
    let upper = ["parent: willSave", "parent: validateForUpdate", "parent: didSave"]
    #expect(bench.tale.take() == (rootHasIt ? upper : []))
    #expect(held == nil || held?.name == "b")
    withExtendedLifetime(child) {}
  }

  @Test func `what willSave of an ancestor changes goes along`() throws {
    let bench = try Creature.bench()
    let id = try bench.creatures("a")[0]
    let parent = bench.child("parent")
    let leaf = bench.child("leaf", of: parent)
    let held = try #require(try Creature.find(id, in: parent))
    try Creature.find(id, in: leaf)?.name = "b"
    bench.tale.on("willSave") { if $0 === held, $0.count == 7 { $0.count = 8 } }
    try leaf.saveAndWait(toPersistentStore: true)
    let stored = try #require(try Creature.findFirst(in: bench.committed()))
    #expect(stored.name == "b" && stored.count == 8)
    #expect(bench.tale.take().count { $0 == "parent: willSave" } == 2)
  }

  @Test func `an ancestor does not have an object awake a second time`() throws {
    let bench = try Creature.bench()
    let parent = bench.child("parent")
    let leaf = bench.child("leaf", of: parent)
    let object = Creature.create(in: leaf)
    try leaf.save()
    let theirs = try #require(try Creature.find(object.objectID, in: parent))
    #expect(theirs.isInserted && theirs.name == "new")
    try parent.save()
    #expect(bench.tale.take().count { $0.hasSuffix("awakeFromInsert") } == 1)
  }

  @Test func `an ancestor is told of the save of a deletion`() throws {
    let bench = try Creature.bench()
    let id = try bench.creatures("a")[0]
    let parent = bench.child("parent")
    let leaf = bench.child("leaf", of: parent)
    let held = try #require(try Creature.find(id, in: parent))
    try Creature.find(id, in: leaf)?.delete()
    _ = bench.tale.take()
    try leaf.saveAndWait(toPersistentStore: true)
    #expect(
      bench.tale.take().filter { $0.hasPrefix("parent") } == [
        "parent: willSave", "parent: validateForDelete", "parent: didSave",
      ])
    #expect(held.isDeleted)
  }
}
