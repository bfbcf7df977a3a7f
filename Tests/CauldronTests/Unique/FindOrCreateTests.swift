import Cauldron
import TestSupport
import Testing

@Suite(.againstHanging) struct FindOrCreateTests {
  @Test(arguments: StoreKind.allCases)
  func `it finds what is stored and what is pending, and creates the rest`(
    _ kind: StoreKind
  ) throws {
    let bench = try Glossary.bench(kind)
    let context = bench.child()
    let tag = try Keyword.findOrCreate(\.name, "a", in: context)
    #expect(tag.isInserted && tag.name == "a" && tag.count == 0)
    #expect(try Keyword.findOrCreate(\.name, "a", in: context) === tag)
    tag.count = 3
    try context.save()
    let sibling = bench.child()
    #expect(try Keyword.findOrCreate(\.name, "a", in: sibling).count == 3)
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child()
    let found = try Keyword.findOrCreate(\.name, "a", in: other)
    #expect(found.objectID == tag.objectID && !other.hasChanges && found.count == 3)
    #expect(try Keyword.count(in: bench.committed()) == 1)
  }

  @Test func `several key paths make one key, in any order`() throws {
    let bench = try Glossary.bench()
    let context = bench.child()
    let tag = try Keyword.findOrCreate((\.kind, "a"), (\.order, 1), in: context)
    #expect(try Keyword.findOrCreate((\.order, 1), (\.kind, "a"), in: context) === tag)
    #expect(try Keyword.findOrCreate((\.kind, "a"), (\.order, 2), in: context) !== tag)
    try context.saveAndWait(toPersistentStore: true)
  }

  @Test(arguments: StoreKind.allCases, [true, false])
  func `who asks by one key becomes nobody who has the values of another`(
    _ kind: StoreKind, isCommitted: Bool
  ) throws {
    let bench = try Glossary.bench(kind)
    let first = bench.child()
    let old = Keyword.named("old", in: first)
    (old.kind, old.order) = ("k", 1)
    if isCommitted {
      try first.saveAndWait(toPersistentStore: true)
    } else {
      try first.save()
    }
    let second = bench.child()
    let new = try Keyword.findOrCreate(\.name, "new", in: second)
    (new.kind, new.order) = ("k", 1)
    let error = cauldronError { try second.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConstraint, "\(error as Any)")
    #expect(new.name == "new" && new.isInserted && old.name == "old")
  }

  @Test func `without a unique key or a value it throws and says what to do`() throws {
    let bench = try Glossary.bench()
    let context = bench.child()
    let error = #expect(throws: CauldronError.self) {
      try Keyword.findOrCreate(\.count, 1, in: context)
    }
    #expect(error?.code == .queryUnsupported && error?.property == "count")
    #expect(
      error?.description == "Cannot find or create Keyword by count: nothing marks it as unique."
        + " Write #Unique<Keyword>([\\.count]) in the class, or a constraint in the model that it is made of."
    )
    #expect(throws: CauldronError.self) { try Keyword.findOrCreate(\.kind, "a", in: context) }
    let missing = #expect(throws: CauldronError.self) {
      try Keyword.findOrCreate(\.name, nil, in: context)
    }
    #expect(missing?.code == .queryUnsupported && missing?.message.contains("name is nil") == true)
    #expect(!context.hasChanges)
  }

  @Test(arguments: StoreKind.allCases)
  func `contexts that know nothing of each other get one object`(_ kind: StoreKind) throws {
    let bench = try Glossary.bench(kind)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let a = try Keyword.findOrCreate(\.name, "x", in: first)
    let b = try Keyword.findOrCreate(\.name, "x", in: second)
    #expect(a.objectID == b.objectID && a.token == b.token)
    a.count = 4
    b.order = 2
    try first.saveAndWait(toPersistentStore: true)
    #expect(try Keyword.count(in: second) == 1)
    try second.saveAndWait(toPersistentStore: true)
    let stored = try Keyword.findAll(in: bench.committed())
    #expect(stored.count == 1 && stored[0].count == 4 && stored[0].order == 2)
    second.processPendingChanges()
    #expect(b.count == 4 && !b.hasChanges)
  }

  @Test func `both may wait in one parent`() throws {
    let bench = try Glossary.bench(.file)
    let parent = bench.child("Parent")
    let (first, second) = (bench.child("First", of: parent), bench.child("Second", of: parent))
    let a = try Keyword.findOrCreate(\.name, "x", in: first)
    let b = try Keyword.findOrCreate(\.name, "x", in: second)
    b.order = 2
    try first.save()
    try second.save()
    #expect(a.objectID == b.objectID)
    #expect(try Keyword.findAll(in: parent).map(\.order) == [2])
    #expect(try Keyword.count(in: parent) == 1)
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try Keyword.findAll(in: bench.committed()).map(\.order) == [2])
  }

  @Test func `edits of one property are in conflict all the same`() throws {
    let bench = try Glossary.bench()
    let (first, second) = (bench.child("First"), bench.child("Second"))
    try Keyword.findOrCreate(\.name, "x", in: first).count += 1
    try Keyword.findOrCreate(\.name, "x", in: second).count += 1
    try first.save()
    let error = #expect(throws: CauldronError.self) { try second.save() }
    #expect(error?.code == .saveConflict && error?.property == "count")
    try second.save(mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try Keyword.findAll(in: bench.root).map(\.count) == [1])
  }

  @Test(arguments: [true, false])
  func `who discards takes nothing from others`(_ discardsFirst: Bool) throws {
    let bench = try Glossary.bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let ids = [
      try Keyword.findOrCreate(\.name, "x", in: first).objectID,
      try Keyword.findOrCreate(\.name, "x", in: second).objectID,
    ]
    if discardsFirst { first.rollback() }
    try second.saveAndWait(toPersistentStore: true)
    if !discardsFirst { first.rollback() }
    #expect(ids[0] == ids[1])
    #expect(try Keyword.findAll(in: bench.committed()).map(\.objectID) == [ids[1]])
    #expect(try Keyword.findOrCreate(\.name, "x", in: first).objectID == ids[1])
    #expect(!first.hasChanges)
  }

  @Test func `what was saved on top of a save that is refused is saved`() throws {
    let bench = try Glossary.bench(.file)
    let before = bench.child()
    Keyword.named("taken", in: before)
    let parent = bench.child("Parent")
    let (first, second) = (bench.child("First", of: parent), bench.child("Second", of: parent))
    try Keyword.findOrCreate(\.name, "x", in: first).count = 1
    Keyword.named("taken", in: first)
    try Keyword.findOrCreate(\.name, "x", in: second).order = 2
    try first.save()
    try second.save()
    try before.saveAndWait(toPersistentStore: true)
    _ = try? parent.saveAndWait(toPersistentStore: true)
    let stored = try Keyword.findAll(where: \.name == "x", in: bench.committed())
    #expect(stored.map(\.order) == [2])
  }

  @Test func `an object that another context has deleted meanwhile is made anew`() throws {
    let bench = try Glossary.bench()
    let context = bench.child()
    let tag = try Keyword.findOrCreate(\.name, "x", in: context)
    let id = tag.objectID
    try context.saveAndWait(toPersistentStore: true)
    tag.delete()
    let other = try Keyword.findOrCreate(\.name, "x", in: context)
    #expect(other !== tag && other.objectID != id)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Keyword.findAll(in: bench.committed()).map(\.objectID) == [other.objectID])
  }
}
