import Cauldron
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What a claimed value stands for, from when it is asked for until it is stored.
@Suite(.againstHanging) struct ClaimTests {
  @Test func `an object that was renamed meanwhile is in conflict with who asked for its name`()
    throws
  {
    let bench = try Glossary.bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let a = try Keyword.findOrCreate(\.name, "x", in: first)
    try Keyword.findOrCreate(\.name, "x", in: second).order = 2
    a.name = "y"
    try first.save()
    let error = #expect(throws: CauldronError.self) { try second.save() }
    #expect(error?.code == .saveConflict && error?.property == "name")
    second.rollback()
    let b = try Keyword.findOrCreate(\.name, "x", in: second)
    #expect(b.objectID != a.objectID)
    try second.saveAndWait(toPersistentStore: true)
    let names = try Keyword.findAll(sortedBy: \.name, in: bench.committed()).map(\.name)
    #expect(names == ["x", "y"])
  }

  @Test func `what others have saved meanwhile is deleted, too`() throws {
    let bench = try Glossary.bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let a = try Keyword.findOrCreate(\.name, "x", in: first)
    #expect(try Keyword.findOrCreate(\.name, "x", in: second).objectID == a.objectID)
    try second.saveAndWait(toPersistentStore: true)
    a.delete()
    #expect(try Keyword.findAll(in: first).isEmpty)
    #expect(a.isDeleted && !a.isInserted)
    try first.saveAndWait(toPersistentStore: true)
    #expect(try Keyword.findAll(in: bench.committed()).isEmpty)
  }

  @Test func `what others have set of it is not deleted unseen`() throws {
    let bench = try Glossary.bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let a = try Keyword.findOrCreate(\.name, "x", in: first)
    a.count = 1
    try Keyword.findOrCreate(\.name, "x", in: second).order = 2
    try second.saveAndWait(toPersistentStore: true)
    a.delete()
    let error = #expect(throws: CauldronError.self) { try first.save() }
    #expect(error?.code == .saveConflict)
    first.rollback()
    let left = try Keyword.findAll(in: first)
    #expect(left.map(\.order) == [2] && left.map(\.count) == [0])
  }

  @Test(arguments: StoreKind.allCases, [0, 600])
  func `who renames what others have saved meanwhile finds it by its new name alone`(
    _ kind: StoreKind, _ others: Int
  ) throws {
    let bench = try Glossary.bench(kind)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let a = try Keyword.findOrCreate(\.name, "x", in: first)
    #expect(try Keyword.findOrCreate(\.name, "x", in: second).objectID == a.objectID)
    try second.saveAndWait(toPersistentStore: true)
    a.name = "y"
    // So many that the store is asked which of them it has.
    for number in 0..<others { Keyword.create(in: first).order = number + 1 }
    #expect(try Keyword.findAll(where: \.name == "x", in: first).isEmpty)
    #expect(try Keyword.findFirst(where: \.name == "x", in: first) == nil)
    #expect(try Keyword.count(where: \.name == "x", in: first) == 0)
    #expect(try Keyword.findAll(where: \.name == "y", in: first) == [a])
    #expect(try Keyword.findOrCreate(\.name, "x", in: first) !== a)
  }

  @Test func `a claim is for whom it was made last`() throws {
    let bench = try Glossary.bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    try Keyword.findOrCreate(\.name, "x", in: first).name = "y"
    let next = try Keyword.findOrCreate(\.name, "x", in: first)
    #expect(try Keyword.findOrCreate(\.name, "x", in: second).objectID == next.objectID)
    try second.saveAndWait(toPersistentStore: true)
    try first.saveAndWait(toPersistentStore: true)
    let names = try Keyword.findAll(sortedBy: \.name, in: bench.committed()).map(\.name)
    #expect(names == ["x", "y"])
  }

  @Test(arguments: [false, true])
  func `who gives a stored object the name back that it was asked for by asks for nothing`(
    _ isStored: Bool
  ) throws {
    let bench = try Glossary.bench(.file)
    let (parent, stored) = (bench.child("Parent"), bench.committed())
    let child = bench.child("Child", of: parent)
    let id = try Keyword.findOrCreate(\.name, "x", in: parent).objectID
    try parent.saveAndWait(toPersistentStore: true)
    try #require(try Keyword.find(id, in: parent)).name = "y"
    if isStored { try parent.saveAndWait(toPersistentStore: true) } else { try parent.save() }
    try #require(try Keyword.find(id, in: child)).name = "x"
    child.processPendingChanges()
    // As with any other name: the parent does not see it, and the save tells of it.
    let other = try Keyword.findOrCreate(\.name, "x", in: parent)
    #expect(other.objectID != id)
    let error = #expect(throws: CauldronError.self) { try child.save() }
    #expect(error?.code == .saveConstraint)
    child.rollback()
    try parent.saveAndWait(toPersistentStore: true)
    let names = try Keyword.findAll(sortedBy: \.name, in: stored).map(\.name)
    #expect(names == ["x", "y"])
  }

  @Test func `who becomes a claimed object leaves it claimed`() throws {
    let bench = try Glossary.bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let (third, fourth) = (bench.child("Third"), bench.committed())
    let a = try Keyword.findOrCreate(\.name, "x", in: first)
    try Keyword.findOrCreate(\.name, "x", in: third).order = 3
    try first.save()
    Keyword.named("x", in: second).count = 2
    try second.save(mergePolicy: .mergeByPropertyObjectTrump)
    let b = try Keyword.findOrCreate(\.name, "x", in: fourth)
    #expect(b.name == "x" && b.objectID == a.objectID)
    try third.saveAndWait(toPersistentStore: true)
    let stored = try Keyword.findAll(in: bench.committed())
    #expect(stored.map(\.count) == [2] && stored.map(\.order) == [3])
  }

  @Test func `many new objects of one event know how they began`() throws {
    let bench = try Glossary.bench()
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let count = 2_200
    for number in 0..<count { Keyword.named("\(number)", in: first) }
    try first.saveAndWait(toPersistentStore: true)
    let tokens = try Keyword.findAll(sortedBy: \.token, in: bench.committed()).map(\.token)
    for number in 0..<count { Keyword.named("\(number)", in: second).order = 2 }
    try second.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    let after = try Keyword.findAll(sortedBy: \.token, in: bench.committed())
    #expect(after.map(\.token) == tokens && after.allSatisfy { $0.order == 2 })
  }

  @Test(arguments: [0, 9])
  func `what was deleted unsaved can be asked for again`(_ others: Int) throws {
    let bench = try Glossary.bench(.file)
    let context = bench.child()
    let tag = try Keyword.findOrCreate(\.name, "x", in: context)
    for number in 0..<others { Keyword.named("\(number)", in: context) }
    context.processPendingChanges()
    tag.delete()
    context.processPendingChanges()
    let again = try Keyword.findOrCreate(\.name, "x", in: context)
    #expect(again !== tag)
    #expect(try Keyword.findOrCreate(\.name, "x", in: context) === again)
    let other = bench.child()
    #expect(try Keyword.findOrCreate(\.name, "x", in: other).objectID == again.objectID)
    try context.saveAndWait(toPersistentStore: true)
    try other.saveAndWait(toPersistentStore: true)
    #expect(try Keyword.count(in: bench.committed()) == others + 1)
  }

  @Test func `a value is shared only as long as several contexts may insert it`() throws {
    let bench = try Glossary.bench()
    let contexts = [bench.child("First"), bench.child("Second")]
    let ledger = bench.stack.coordinator.ledger
    for context in contexts { _ = try Keyword.findOrCreate(\.name, "x", in: context) }
    #expect(ledger.sharedKeys.value == 1)
    try contexts[0].saveAndWait(toPersistentStore: true)
    #expect(ledger.sharedKeys.value == 1)
    try contexts[1].saveAndWait(toPersistentStore: true)
    for number in 0..<2 {
      Keyword.named("\(number)", in: contexts[0])
      try contexts[0].saveAndWait(toPersistentStore: true)
    }
    #expect(ledger.sharedKeys.value == 0)
  }

  @Test func `nil and NaN are found nowhere`() throws {
    let bench = try Glossary.bench(.file)
    let context = bench.child()
    Keyword.named(nil, in: context)
    _ = Price.create(in: context)
    try context.saveAndWait(toPersistentStore: true)
    let missing = #expect(throws: CauldronError.self) {
      try Keyword.findOrCreate(\.name, nil, in: context)
    }
    #expect(missing?.code == .queryUnsupported)
    let none = #expect(throws: CauldronError.self) {
      try Price.findOrCreate(\.weight, .nan, in: context)
    }
    #expect(none?.code == .queryUnsupported)
    #expect(!context.hasChanges)
  }

  @Test func `an abstract class has no objects to create`() throws {
    var shape = Keyword._describeEntity()
    shape.isAbstract = true
    let bench = try Bench(
      .memory,
      model: ManagedObjectModel(entities: [shape, Remark._describeEntity()]))
    let context = bench.child()
    let error = #expect(throws: CauldronError.self) {
      try Keyword.findOrCreate(\.name, "x", in: context)
    }
    #expect(error?.code == .queryUnsupported && error?.message.contains("abstract") == true)
    #expect(!context.hasChanges)
  }

  @Test(arguments: [true, false])
  func `what a hook has made in one context stays there`(_ savesFirst: Bool) throws {
    let bench = try Glossary.bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let a = try Folder.findOrCreate(\.label, "auto", in: first)
    let b = try Folder.findOrCreate(\.label, "auto", in: second)
    #expect(a.shelf != nil && b.shelf == nil && a.objectID == b.objectID)
    if savesFirst { try first.saveAndWait(toPersistentStore: true) }
    try second.saveAndWait(toPersistentStore: true)
    try first.saveAndWait(toPersistentStore: true)
    let stored = try Folder.findAll(in: bench.committed())
    #expect(stored.count == 1 && stored[0].shelf != nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `what was saved and deleted meanwhile is inserted anew`(_ kind: StoreKind) throws {
    let bench = try Glossary.bench(kind)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let a = try Keyword.findOrCreate(\.name, "x", in: first)
    let id = try Keyword.findOrCreate(\.name, "x", in: second).objectID
    try first.saveAndWait(toPersistentStore: true)
    a.delete()
    try first.saveAndWait(toPersistentStore: true)
    let outcome = try second.saveAndWait(toPersistentStore: true)
    guard case .saved(let summary) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(summary.resolutions.map(\.outcome) == [.insertedAgain])
    #expect(try Keyword.findAll(in: bench.committed()).map(\.objectID) == [id])
    guard let url = bench.stack.coordinator.storeURL else { return }
    #expect(OtherConnection(url).integers("SELECT Z_OPT FROM ZKEYWORD")[0] > 65_536)
  }

  @Test(arguments: [false, true])
  func `what was found or created comes back over an unsaved deletion as one object`(
    _ refreshes: Bool
  ) throws {
    let bench = try Glossary.bench(.file)
    let parent = bench.child("Parent")
    let (first, second) = (bench.child("First", of: parent), bench.child("Second", of: parent))
    let id = try Keyword.findOrCreate(\.name, "x", in: first).objectID
    try Keyword.findOrCreate(\.name, "x", in: second).order = 2
    try first.saveAndWait(toPersistentStore: true)
    let held = try parent.performAndWait { local in
      let keyword = try #require(try Keyword.findFirst(in: local))
      keyword.delete()
      return keyword
    }
    try second.saveAndWait(toPersistentStore: false)
    try parent.performAndWait { local in
      if refreshes { local.context.refresh(held, mergeChanges: false) }
      let found = try Keyword.findAll(in: local)
      #expect(found.map(\.isDeleted) == [false] && found.map(\.order) == [2])
      let count = try Keyword.count(in: local)
      #expect(count == 1)
    }
    try parent.saveAndWait(toPersistentStore: true)
    let stored = try Keyword.findAll(in: bench.committed())
    #expect(stored.map(\.order) == [2] && stored.map(\.objectID) == [id])
  }
}
