import Cauldron
import CauldronGraph
import CauldronLedger
import Logging
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

  /// How a block is saved.
  enum Form: CaseIterable, Sendable { case awaited, waiting, completion, below }

  /// The error of a save block whose changes the store refuses.
  private func refusal(_ bench: Bench, _ form: Form, _ size: Int) async throws -> CauldronError? {
    let fill: @Sendable (LocalContext) -> Void = { local in
      for _ in 0..<size { Person.named(String(repeating: "x", count: 5_000), in: local.context) }
    }
    do {
      switch form {
      case .awaited: try await bench.stack.save(retries: 2, fill)
      case .waiting: try await onGlobalQueue { try bench.stack.saveAndWait(fill) }
      case .below: try await bench.mainContext.save(fill)
      case .completion:
        return await withCheckedContinuation { done in
          bench.stack.save(fill) { _, error in done.resume(returning: error as? CauldronError) }
        }
      }
    } catch let error as CauldronError { return error }
    return nil
  }

  @Test(arguments: Form.allCases)
  func `a block that meets a full disk is to be run again, as its context is gone`(
    _ form: Form
  ) async throws {
    let bench = try Bench(.file) { $0.maxPageCount = 40 }
    let error = try await refusal(bench, form, 100)
    #expect(error?.code == .storeDiskFull)
    #expect(
      error?.hint == "This save has written nothing; free some space and run the block again.",
      "\(String(describing: error))")
    let told = bench.log.messages(.error)
    #expect(
      told.count == 1 && told.allSatisfy { $0.contains("and run the block again.") }, "\(told)")
  }

  @Test(arguments: Form.allCases)
  func `a block that meets a locked store is to be run again`(_ form: Form) async throws {
    let bench = try Bench(.file) { $0.busyTimeout = 0.05 }
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.run("BEGIN IMMEDIATE"))
    let error = try await refusal(bench, form, 1)
    other.run("ROLLBACK")
    #expect(error?.code == .storeBusy && error?.hint == "Run the block again.")
    #expect(bench.log.messages(.error).allSatisfy { $0.contains("Run the block again.") })
  }

  @Test func `a context that is saved without a block is told to save again`() throws {
    let bench = try Bench(.file) { $0.maxPageCount = 40 }
    let context = bench.child()
    for _ in 0..<100 { Person.named(String(repeating: "x", count: 5_000), in: context) }
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.hint.hasSuffix("free some space and save again.") == true)
  }

  @Test func `a block that meets a conflict is to be run again`() throws {
    let bench = try Bench(.file)
    let id = try bench.stack.saveAndWait { Person.named("ann", age: 1, in: $0.context).objectID }
    let error = cauldronError {
      try bench.stack.saveAndWait { local in
        try #require(try Person.find(id, in: local)).age = 2
        try bench.stack.saveAndWait { try #require(try Person.find(id, in: $0)).age = 3 }
      }
    }
    #expect(error?.code == .saveConflict)
    #expect(
      error?.hint
        == "Run the block again, or with another merge policy.")
    #expect(bench.log.messages(.error).allSatisfy { $0.contains("Run the block again") })
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
