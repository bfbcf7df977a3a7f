import Cauldron
import TestSupport
import Testing

/// What a context has done in several events is one save.
@Suite(.againstHanging) struct ManyEventsTests {
  @Test func `a reference that was set and taken back refers to nothing`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let acme = Company.named("acme", in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    let child = bench.child("Child", of: parent)
    let people = (0..<3).map { Person.named("\($0)", in: child) }
    people[0].employer = try child.existingObject(with: acme.objectID) as? Company
    child.processPendingChanges()
    acme.delete()
    parent.processPendingChanges()
    people[0].employer = nil
    try child.save()
    #expect(try Person.count(in: parent) == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `a value that was taken and given up again is not taken`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let context = bench.child()
    Person.named("first", in: context).email = "taken"
    try context.saveAndWait(toPersistentStore: true)
    let people = (0..<3).map { Person.named("\($0)", in: context) }
    people[0].email = "taken"
    context.processPendingChanges()
    people[0].email = "free"
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(where: \.email == "free", in: bench.committed()) == 1)
  }

  @Test func `the summary counts what is left of all events`() throws {
    let bench = try Bench()
    let context = bench.child()
    let people = (0..<3).map { Person.named("\($0)", in: context) }
    context.processPendingChanges()
    people[1].delete()
    guard case .saved(let summary) = try context.saveAndWait(toPersistentStore: true) else {
      throw CauldronError.notSaved
    }
    #expect(summary.inserted == 2 && summary.deleted == 0)
  }
}

extension CauldronError {
  fileprivate static var notSaved: CauldronError { .init(.saveConflict, "Nothing was saved.") }
}
