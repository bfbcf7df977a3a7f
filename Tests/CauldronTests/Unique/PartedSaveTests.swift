import Cauldron
import TestSupport
import Testing

/// What a child hands over between two events of one save does not part them.
@Suite(.againstHanging) struct PartedSaveTests {
  private struct Scene {
    let bench: Bench
    let parent: ManagedObjectContext
    let child: ManagedObjectContext
    let taken: Keyword

    /// - Parameter isCommitted: Whether the object that has "b" is in the store, or pending.
    init(isCommitted: Bool = true) throws {
      bench = try Glossary.bench(.file)
      let first = bench.child("First")
      parent = bench.child("Parent")
      child = bench.child("Child", of: parent)
      let other = Keyword.named("b", in: first)
      if isCommitted {
        try first.saveAndWait(toPersistentStore: true)
      } else {
        try first.save()
      }
      taken = try #require(try Keyword.find(other.objectID, in: parent))
    }

    func names() throws -> [String?] {
      try Keyword.findAll(sortedBy: \.name, in: bench.committed()).map(\.name)
    }
  }

  @Test(arguments: [MergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump])
  func `a name that was taken and given up again is nobody's`(_ policy: MergePolicy) throws {
    let scene = try Scene()
    let a = Keyword.named("b", in: scene.parent)
    scene.parent.processPendingChanges()
    Keyword.named("g", in: scene.child)
    try scene.child.save()
    a.name = "c"
    try scene.parent.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try scene.names() == ["b", "c", "g"])
  }

  @Test(arguments: [MergePolicy.error, .mergeByPropertyObjectTrump])
  func `a name is free once its object is deleted`(_ policy: MergePolicy) throws {
    let scene = try Scene()
    let a = Keyword.named("b", in: scene.parent)
    scene.parent.processPendingChanges()
    Keyword.named("g", in: scene.child)
    try scene.child.save()
    scene.taken.delete()
    try scene.parent.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try scene.names() == ["b", "g"])
    #expect(try Keyword.find(a.objectID, in: scene.bench.committed())?.name == "b")
  }

  @Test func `another name mends what was refused`() throws {
    let scene = try Scene(isCommitted: false)
    let a = Keyword.named("b", in: scene.parent)
    scene.parent.processPendingChanges()
    Keyword.named("g", in: scene.child)
    try scene.child.save()
    #expect(throws: CauldronError.self) { try scene.parent.save() }
    a.name = "c"
    try scene.parent.saveAndWait(toPersistentStore: true)
    #expect(try scene.names() == ["b", "c", "g"])
  }

  @Test func `an object that takes what a child has freed stays behind the child's change`() throws
  {
    let scene = try Scene()
    let a = Keyword.named("a", in: scene.parent)
    scene.parent.processPendingChanges()
    let freed = try #require(try Keyword.find(scene.taken.objectID, in: scene.child))
    freed.name = "z"
    let remark = Remark.create(in: scene.child)
    try scene.child.save()
    a.name = "b"
    let mine = try #require(try Remark.find(remark.objectID, in: scene.parent))
    mine.tag = a
    try scene.parent.saveAndWait(toPersistentStore: true)
    #expect(try scene.names() == ["b", "z"])
    #expect(try Remark.findAll(in: scene.bench.committed()).map(\.tag?.name) == ["b"])
  }
}
