import Cauldron
import Foundation
import Testing

@Suite struct SiblingConflictTests {
  private struct Scene {
    let bench: Bench
    let parent: ManagedObjectContext
    let one: ManagedObjectContext
    let two: ManagedObjectContext
    let mine: Person
    let yours: Person
  }

  /// Two children of one context, each with the same person.
  private func scene(_ kind: StoreKind = .memory, policy: MergePolicy = .error) throws -> Scene {
    let bench = try Bench(kind)
    let parent = bench.child("Parent")
    let id = Person.named("jack", age: 1, in: parent).objectID
    try parent.saveAndWait(toPersistentStore: true)
    let (one, two) = (bench.child("One", of: parent), bench.child("Two", of: parent))
    two.mergePolicy = policy
    return Scene(
      bench: bench, parent: parent, one: one, two: two,
      mine: try #require(try Person.find(id, in: one)),
      yours: try #require(try Person.find(id, in: two)))
  }

  private func stored(_ scene: Scene) throws -> Person? {
    try scene.parent.saveAndWait(toPersistentStore: true)
    return try Person.findFirst(in: scene.bench.committed())
  }

  @Test(arguments: StoreKind.allCases)
  func `the second to change a property is refused on the spot`(_ kind: StoreKind) throws {
    let scene = try scene(kind)
    scene.mine.name = "one"
    scene.yours.name = "two"
    try scene.one.save()
    let error = cauldronError { try scene.two.save() }
    #expect(error?.code == .saveConflict && error?.property == "name")
    #expect(error?.objectIDs == [scene.yours.objectID] && error?.contextName == "Two")
    #expect(error?.message.contains("name changed elsewhere") == true)
    #expect(scene.two.hasChanges && scene.yours.name == "two")
    #expect(try stored(scene)?.name == "one")
  }

  @Test func `a deleted object shows what a save would meet in it`() throws {
    let scene = try scene()
    scene.yours.delete()
    #expect(scene.yours.conflicts.isEmpty)
    scene.mine.name = "one"
    try scene.one.save()
    let conflicts = scene.yours.conflicts
    #expect(conflicts.flatMap(\.properties).map(\.name) == ["name"])
    #expect(cauldronError { try scene.two.save() }?.conflicts.count == conflicts.count)
    #expect(scene.yours.conflicts.count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `changes to different properties are combined`(_ kind: StoreKind) throws {
    let scene = try scene(kind)
    scene.mine.name = "one"
    scene.yours.age = 2
    try scene.one.save()
    try scene.two.save()
    let stored = try stored(scene)
    #expect(stored?.name == "one" && stored?.age == 2)
  }

  @Test func `the same change by both is a conflict, for it may be meant twice`() throws {
    let scene = try scene()
    scene.mine.name = "same"
    scene.yours.name = "same"
    try scene.one.save()
    #expect(cauldronError { try scene.two.save() }?.code == .saveConflict)
    scene.two.mergePolicy = .mergeByPropertyObjectTrump
    try scene.two.save()
    #expect(try stored(scene)?.name == "same")
  }

  @Test func `work goes on after a merge`() throws {
    let scene = try scene(.file)
    for round in 0..<4 {
      scene.mine.name = "\(round)"
      scene.yours.age = round
      try scene.one.save()
      try scene.two.save()
      if round % 2 == 1 { try scene.parent.saveAndWait(toPersistentStore: true) }
    }
    let stored = try stored(scene)
    #expect(stored?.name == "3" && stored?.age == 3)
  }

  @Test func `a refused save can be mended by a refresh`() throws {
    let scene = try scene()
    scene.mine.name = "one"
    scene.yours.name = "two"
    scene.yours.age = 9
    try scene.one.save()
    #expect(cauldronError { try scene.two.save() }?.code == .saveConflict)
    scene.two.refresh(scene.yours, mergeChanges: true)
    #expect(scene.yours.name == "two" && scene.yours.age == 9)
    try scene.two.save()
    let stored = try stored(scene)
    #expect(stored?.name == "two" && stored?.age == 9)
  }

  @Test(
    arguments: StoreKind.allCases,
    [
      (MergePolicy.mergeByPropertyStoreTrump, "one", 5, 2.0 as Double?),
      (.mergeByPropertyObjectTrump, "two", 5, 2.0),
      (.overwrite, "two", 1, 2.0), (.rollback, "one", 5, nil),
    ])
  func `a policy decides where both changed a property`(
    _ kind: StoreKind, _ expected: (MergePolicy, String, Int, Double?)
  ) throws {
    let (policy, name, age, birthday) = expected
    let scene = try scene(kind, policy: policy)
    scene.yours.name = "two"
    scene.yours.birthday = .init(timeIntervalSinceReferenceDate: 2)
    scene.mine.age = 5
    scene.mine.name = "one"
    try scene.one.save()
    try scene.two.save()
    let stored = try stored(scene)
    #expect(stored?.name == name)
    #expect(stored?.birthday?.timeIntervalSinceReferenceDate == birthday)
    // The whole object that overwrites has the age that it had read.
    #expect(stored?.age == age)
    #expect(scene.yours.name == name && !scene.two.hasChanges)
  }

  @Test func `a child's edit conflicts with the parent's newer edit`() throws {
    let scene = try scene()
    let mine = try #require(try Person.find(scene.mine.objectID, in: scene.parent))
    scene.mine.name = "child"
    mine.name = "parent"
    scene.parent.processPendingChanges()
    #expect(cauldronError { try scene.one.save() }?.code == .saveConflict)
    scene.one.mergePolicy = .mergeByPropertyObjectTrump
    try scene.one.save()
    #expect(try stored(scene)?.name == "child")
    #expect(mine.name == "child")
  }

  @Test func `a child may edit what its parent has edited before`() throws {
    let scene = try scene()
    let mine = try #require(try Person.find(scene.mine.objectID, in: scene.parent))
    mine.name = "parent"
    scene.parent.processPendingChanges()
    let child = scene.bench.child("New", of: scene.parent)
    try Person.find(mine.objectID, in: child)?.name = "child"
    try child.save()
    #expect(try stored(scene)?.name == "child")
  }

  @Test func `an edit of what a sibling deleted is refused`() throws {
    let scene = try scene()
    scene.mine.delete()
    scene.yours.age = 9
    try scene.one.save()
    #expect(cauldronError { try scene.two.save() }?.code == .saveConflict)
    scene.two.mergePolicy = .rollback
    try scene.two.save()
    #expect(try stored(scene) == nil)
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, true), (.mergeByPropertyObjectTrump, false),
    (.overwrite, false), (.rollback, true),
  ])
  func `the deletion of what a sibling edited is up to the policy`(
    _ policy: MergePolicy, _ survives: Bool
  ) throws {
    let scene = try scene(.file)
    scene.mine.age = 9
    scene.yours.delete()
    try scene.one.save()
    #expect(cauldronError { try scene.two.save() }?.code == .saveConflict)
    scene.two.mergePolicy = policy
    try scene.two.save()
    #expect(try (stored(scene) != nil) == survives)
  }

  @Test func `both may delete an object where the policy allows it`() throws {
    let scene = try scene(.file, policy: .mergeByPropertyObjectTrump)
    scene.mine.delete()
    scene.yours.delete()
    try scene.one.save()
    try scene.two.save()
    #expect(try stored(scene) == nil)
  }
}
