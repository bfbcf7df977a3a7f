import Cauldron
import TestSupport
import Testing

/// What hangs on an object that becomes another one goes on.
@Suite(.againstHanging) struct BecomingOtherTests {
  /// A new object in a context and one that has its name in the store, both known further down.
  private struct Scene {
    let bench: Bench
    let context: ManagedObjectContext
    let grandchild: ManagedObjectContext
    let mine: Keyword
    let theirs: Keyword

    init(_ kind: StoreKind) throws {
      bench = try Glossary.bench(kind)
      let first = bench.child("First")
      context = bench.child("Second")
      grandchild = bench.child("Grandchild", of: context)
      let old = Keyword.named("x", in: first)
      old.count = 7
      let new = Keyword.named("x", in: context)
      new.order = 3
      context.processPendingChanges()
      try first.saveAndWait(toPersistentStore: true)
      mine = try #require(try Keyword.find(new.objectID, in: grandchild))
      theirs = try #require(try Keyword.find(old.objectID, in: grandchild))
    }

    func save() throws {
      try context.saveAndWait(
        toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
      try grandchild.saveAndWait(toPersistentStore: true)
    }

    func stored() throws -> Keyword {
      let tags = try Keyword.findAll(in: bench.committed())
      #expect(tags.count == 1)
      return try #require(tags.first)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `edits of both are edits of one`(_ kind: StoreKind) throws {
    let scene = try Scene(kind)
    scene.mine.order = 5
    scene.theirs.count = 9
    scene.grandchild.processPendingChanges()
    try scene.save()
    let stored = try scene.stored()
    #expect(stored.order == 5 && stored.count == 9)
    #expect(!scene.grandchild.hasChanges)
  }

  @Test(arguments: StoreKind.allCases)
  func `who deletes one of them deletes it`(_ kind: StoreKind) throws {
    let scene = try Scene(kind)
    scene.mine.kind = "edited"
    scene.theirs.delete()
    scene.grandchild.processPendingChanges()
    try scene.context.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    try scene.grandchild.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try Keyword.count(in: scene.bench.committed()) == 0)
  }

  @Test func `edits that nobody was told of yet go to the object that stays`() throws {
    let scene = try Scene(.file)
    #expect(scene.theirs.count == 7)
    scene.mine.order = 5
    scene.mine.kind = "unpublished"
    try scene.context.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    try scene.grandchild.saveAndWait(toPersistentStore: true)
    let stored = try scene.stored()
    #expect(stored.order == 5 && stored.kind == "unpublished" && stored.count == 7)
    #expect(scene.theirs.order == 5 && scene.mine.managedObjectContext == nil)
  }

  @Test(arguments: [false, true])
  func `edits that a refresh has dropped stay so below those of an object that becomes another one`(
    _ looksFirst: Bool
  ) throws {
    let scene = try Scene(.file)
    scene.theirs.count = 9
    scene.grandchild.processPendingChanges()
    scene.mine.order = 5
    scene.grandchild.refresh(scene.theirs, mergeChanges: false)
    try scene.context.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    if looksFirst { _ = scene.grandchild.registeredObject(for: scene.theirs.objectID) }
    #expect(scene.theirs.count == 7 && scene.theirs.order == 5)
    try scene.grandchild.saveAndWait(toPersistentStore: true)
    let stored = try scene.stored()
    #expect(stored.count == 7 && stored.order == 5)
  }

  @Test func `a list has what leads to a new object that has become the one it names`() throws {
    let scene = try Scene(.file)
    let list = FetchedResultsController(
      Remark.where(\.tag == scene.theirs), in: scene.grandchild)
    try list.performFetchAndWait()
    let remark = Remark.create(in: scene.grandchild)
    remark.tag = scene.mine
    scene.grandchild.processPendingChanges()
    #expect(list.snapshot.count == 0)
    try scene.context.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    try list.settleAndWait()
    #expect(list.snapshot.count == 1)
  }

  @Test(arguments: [
    MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ])
  func `a one-to-one link stays whole`(_ policy: MergePolicy) throws {
    let bench = try Bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    func make(_ number: Int, in context: ManagedObjectContext) -> Person {
      let person = Person.named("jack", in: context)
      person.email = "jack@example.org"
      let passport = Passport.create(in: context)
      passport.number = number
      person.passport = passport
      return person
    }
    let jack = make(1, in: first)
    _ = make(2, in: second)
    try first.saveAndWait(toPersistentStore: true)
    try second.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    let reader = bench.committed()
    let people = try Person.findAll(in: reader)
    let isMine = policy == .mergeByPropertyObjectTrump || policy == .overwrite
    #expect(people.map(\.objectID) == [jack.objectID])
    #expect(people[0].passport?.number == (isMine ? 2 : 1))
    for passport in try Passport.findAll(in: reader) {
      let isLinked = passport.number == (isMine ? 2 : 1)
      #expect(passport.holder?.objectID == (isLinked ? jack.objectID : nil))
    }
  }

  @Test func `a partner that nobody wrote is let go of where none was chosen`() throws {
    let bench = try Bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let jack = Person.named("jack", in: first)
    jack.email = "jack@example.org"
    let passport = Passport.create(in: first)
    jack.passport = passport
    let other = Person.named("jack", in: second)
    other.email = "jack@example.org"
    try first.saveAndWait(toPersistentStore: true)
    try second.saveAndWait(toPersistentStore: true, mergePolicy: .overwrite)
    let reader = bench.committed()
    #expect(try Person.findAll(in: reader).map(\.passport) == [nil])
    #expect(try Passport.findAll(in: reader).map(\.holder) == [nil])
  }
}
