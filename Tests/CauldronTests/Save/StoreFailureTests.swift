import Cauldron
import CauldronGraph
import TestSupport
import Testing

@Suite(.againstHanging) struct StoreFailureTests {
  @Test(arguments: StoreKind.allCases)
  func `a closed stack refuses everything with an error`(_ kind: StoreKind) async throws {
    let bench = try Bench(kind)
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    try bench.stack.close()
    #expect(cauldronError { try context.save() }?.code == .stackClosed)
    await #expect { try await context.save(toPersistentStore: true) } throws: {
      ($0 as? CauldronError)?.code == .stackClosed
    }
    #expect(cauldronError { _ = try Person.findAll(in: context) }?.code == .stackClosed)
    #expect(cauldronError { _ = try Person.count(in: context) }?.code == .stackClosed)
    #expect(jack.name == "jack")
    try bench.stack.close()
  }

  @Test func `a full disk fails the save, loses nothing, and is got over`() async throws {
    let bench = try Bench(.file) { $0.maxPageCount = 40 }
    let context = bench.child("Child", of: bench.mainContext)
    Person.named("small", in: context)
    try await context.save(toPersistentStore: true)
    for number in 0..<100 {
      Person.named(String(repeating: "x", count: 5_000), age: number, in: context)
    }
    await #expect { try await context.save(toPersistentStore: true) } throws: {
      ($0 as? CauldronError)?.code == .storeDiskFull
    }
    #expect(try Person.count(in: bench.committed()) == 1)
    // They are where they were made, to be corrected and saved again.
    #expect(context.hasChanges)
    #expect(try Person.count(in: context) == 101)
    #expect(try await bench.root.perform { try Person.count(in: $0) } == 1)
    context.rollback()
    #expect(try Person.count(in: context) == 1)
    Person.named("after", in: context)
    try await context.save(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 2)
  }

  @Test func `a creation without a key is told by the save`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    try bench.stack.close()
    let person = Person.named("jack", in: context)
    #expect(person.name == "jack" && context.hasChanges)
    #expect(cauldronError { try context.save() }?.code == .stackClosed)
  }

  @Test func `held back edits survive a commit that fails`() async throws {
    let bench = try Bench(.file) { $0.maxPageCount = 40 }
    await bench.root.perform { context in _ = Person.create(in: context) }
    let child = bench.child()
    for _ in 0..<100 { Person.named(String(repeating: "x", count: 5_000), in: child) }
    await #expect(throws: CauldronError.self) { try await child.save(toPersistentStore: true) }
    #expect(try await bench.root.perform { try Person.count(in: $0) } == 1)
    #expect(try Person.count(in: child) == 101)
  }
}
