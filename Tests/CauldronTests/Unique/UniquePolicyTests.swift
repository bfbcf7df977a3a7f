import Cauldron
import TestSupport
import Testing

/// What merge policies make of a new object whose unique value another one has.
@Suite(.againstHanging) struct UniquePolicyTests {
  /// Where the other object is, when the new one is saved.
  enum Place: CaseIterable { case pending, committed }

  private struct Scene {
    let bench: Bench
    let context: ManagedObjectContext
    let existing: ManagedObjectID
    let tag: Keyword
    let remark: Remark

    init(_ place: Place, _ kind: StoreKind = .file) throws {
      bench = try Glossary.bench(kind)
      let first = bench.child("First")
      context = bench.child("Second")
      let old = Keyword.named("swift", in: first)
      (old.count, old.kind) = (7, "old")
      tag = Keyword.named("swift", in: context)
      tag.order = 3
      remark = Remark.create(in: context)
      remark.tag = tag
      if place == .pending {
        try first.save()
      } else {
        try first.saveAndWait(toPersistentStore: true)
      }
      existing = old.objectID
    }

    func save(_ policy: MergePolicy) throws -> SaveOutcome {
      try context.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    }

    /// What is in the store.
    func stored() throws -> Keyword {
      let tags = try Keyword.findAll(in: bench.committed())
      #expect(tags.count == 1)
      return try #require(tags.first)
    }
  }

  @Test(arguments: Place.allCases, [MergePolicy.error, .strict])
  func `error refuses`(_ place: Place, _ policy: MergePolicy) throws {
    let scene = try Scene(place)
    let error = #expect(throws: CauldronError.self) { try scene.save(policy) }
    #expect(error?.code == .saveConstraint)
    #expect(error?.objectIDs == [scene.tag.objectID, scene.existing])
    #expect(scene.context.hasChanges && scene.tag.isInserted)
  }

  @Test(
    arguments: Place.allCases, [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `the existing object stays as it is, and the new one becomes it`(
    _ place: Place, _ policy: MergePolicy
  ) throws {
    let scene = try Scene(place)
    let id = scene.tag.objectID
    _ = try scene.save(policy)
    let stored = try scene.stored()
    #expect(stored.objectID == scene.existing && stored.count == 7 && stored.order == 0)
    #expect(stored.remarks.count == 1)
    scene.context.processPendingChanges()
    #expect(scene.tag.objectID == scene.existing && !scene.tag.hasChanges)
    #expect(scene.tag.count == 7 && scene.tag.order == 0 && scene.tag.kind == "old")
    #expect(scene.remark.tag === scene.tag)
    #expect(try scene.context.existingObject(with: id) === scene.tag)
    #expect(try Keyword.find(id, in: scene.bench.committed())?.objectID == scene.existing)
    scene.tag.count = 8
    try scene.context.saveAndWait(toPersistentStore: true)
    #expect(try scene.stored().count == 8)
  }

  @Test(arguments: Place.allCases)
  func `object trump writes what was set, and no defaults`(_ place: Place) throws {
    let scene = try Scene(place)
    let token = try #require(try Keyword.find(scene.existing, in: scene.context)).token
    let outcome = try scene.save(.mergeByPropertyObjectTrump)
    let stored = try scene.stored()
    #expect(stored.objectID == scene.existing && stored.count == 7 && stored.order == 3)
    #expect(stored.kind == "old" && stored.token == token)
    #expect(stored.remarks.count == 1)
    guard case .saved(let summary) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(summary.resolutions.map(\.outcome) == [.becameExisting])
    #expect(summary.resolutions.map(\.objectID) == [scene.existing])
  }

  @Test(arguments: Place.allCases)
  func `overwrite writes every property`(_ place: Place) throws {
    let scene = try Scene(place)
    let token = scene.tag.token
    _ = try scene.save(.overwrite)
    let stored = try scene.stored()
    #expect(stored.objectID == scene.existing && stored.count == 0 && stored.order == 3)
    #expect(stored.kind == nil && stored.token == token)
  }

  @Test func `an object that is registered already goes on, and the new instance is gone`() throws {
    let scene = try Scene(.committed)
    let known = try #require(try Keyword.find(scene.existing, in: scene.context))
    #expect(known.count == 7)
    _ = try scene.save(.mergeByPropertyObjectTrump)
    scene.context.processPendingChanges()
    #expect(known.order == 3 && scene.remark.tag === known)
    #expect(scene.tag.managedObjectContext == nil && scene.tag.objectID == scene.existing)
    #expect(!scene.context.hasChanges)
  }

  @Test func `what a child has built on the new object follows`() throws {
    let scene = try Scene(.committed)
    let grandchild = bench(scene).child("Grandchild", of: scene.context)
    scene.context.processPendingChanges()
    let tag = try #require(try Keyword.find(scene.tag.objectID, in: grandchild))
    tag.order = 5
    let remark = Remark.create(in: grandchild)
    remark.tag = tag
    grandchild.processPendingChanges()
    _ = try scene.save(.mergeByPropertyObjectTrump)
    try grandchild.saveAndWait(toPersistentStore: true)
    let stored = try scene.stored()
    #expect(stored.objectID == scene.existing && stored.order == 5 && stored.remarks.count == 2)
    #expect(tag.objectID == scene.existing && remark.tag?.objectID == scene.existing)
  }

  private func bench(_ scene: Scene) -> Bench { scene.bench }

  @Test func `two new objects of one save become one`() throws {
    let bench = try Glossary.bench(.file)
    let context = bench.child()
    let (first, second) = (Keyword.named("a", in: context), Keyword.named("a", in: context))
    first.count = 1
    second.order = 2
    try context.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    let tags = try Keyword.findAll(in: bench.committed())
    #expect(tags.count == 1 && tags[0].count == 1 && tags[0].order == 2)
    #expect(second.objectID == first.objectID)
  }

  @Test(arguments: StoreKind.allCases)
  func `many new objects meet many rows`(_ kind: StoreKind) throws {
    let bench = try Glossary.bench(kind)
    let first = bench.child()
    for number in 0..<600 { Keyword.named("\(number)", in: first).count = 1 }
    try first.saveAndWait(toPersistentStore: true)
    let second = bench.child()
    for number in 300..<900 { Keyword.named("\(number)", in: second).order = 2 }
    try second.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try Keyword.count(in: bench.committed()) == 900)
    #expect(try Keyword.count(where: \.count == 1 && \.order == 2, in: bench.committed()) == 300)
  }
}
