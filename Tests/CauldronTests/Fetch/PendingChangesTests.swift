import Cauldron
import Testing

@Suite struct PendingChangesTests {
  @Test(arguments: StoreKind.allCases)
  func `a fetch includes own unsaved edits`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let context = bench.child()
    let (a, b) = (Person.named("a", in: context), Person.named("b", in: context))
    try context.saveAndWait(toPersistentStore: true)
    a.name = "z"
    b.delete()
    Person.named("c", in: context)
    #expect(try Person.names(in: context) == ["c", "z"])
    #expect(try Person.findFirst(where: \.name == "a", in: context) == nil)
    #expect(try Person.findFirst(where: \.name == "z", in: context) === a)
    #expect(try Person.names(in: bench.committed()) == ["a", "b"])
  }

  @Test func `a fetch includes the parents' unsaved edits and accepted pushes`() throws {
    let bench = try Bench(.file)
    let parent = bench.child("Parent")
    let a = Person.named("a", in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    a.name = "x"
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    let sibling = bench.child("Sibling", of: parent)
    Person.named("pushed", in: sibling)
    try sibling.save()
    #expect(try Person.names(in: child) == ["pushed", "x"])
    #expect(try Person.names(in: parent) == ["pushed", "x"])
    #expect(try Person.names(in: bench.child()) == ["a"])
  }

  @Test func `constants beside a comparison decide for pending objects, too`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    for age in 0..<4 { Person.named("p\(age)", in: parent).age = age }
    let isOne = PredicateNode.comparison(key: "age", .equal, .integer(1))
    for isTrue in [true, false] {
      var request = FetchRequest<Person>()
      for node in [isOne, .not(isOne)] {
        let count = node == isOne ? 1 : 3
        request.predicate = .and([node, .constant(isTrue)])
        #expect(try parent.count(for: request) == (isTrue ? count : 0))
        request.predicate = .or([node, .constant(isTrue)])
        #expect(try parent.count(for: request) == (isTrue ? 4 : count))
      }
    }
  }

  @Test func `a fetch gives registered objects as they are`() throws {
    let bench = try Bench()
    let context = bench.child()
    let a = Person.named("a", in: context)
    try context.save()
    let other = bench.child("Other")
    try Person.find(a.objectID, in: other)?.age = 7
    try other.save()
    #expect(try Person.findFirst(where: \.age == 7, in: context) === a)
    #expect(a.age == 0)
  }

  @Test func `find gives nil for what was deleted or never existed`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let a = Person.named("a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let id = a.objectID
    a.delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.find(id, in: context) == nil)
    #expect(try Person.find(id, in: bench.committed()) == nil)
    let error = cauldronError { _ = try context.existingObject(with: id) }
    #expect(error?.code == .objectNotFound && error?.objectIDs == [id])
  }

  @Test func `an object of a row that is gone shows zeros and is deleted`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let a = Person.named("a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child("Other")
    let fault = other.object(with: a.objectID)
    #expect(fault.isFault && !fault.isDeleted)
    a.delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(fault.value(forKey: "name") == nil && fault.isDeleted)
    #expect(cauldronError { try fault.load() }?.code == .objectNotFound)
  }
}
