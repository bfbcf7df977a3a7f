import Cauldron
import CauldronModel
import Logging
import TestSupport
import Testing

@Suite(.againstHanging) struct RetryTests {
  /// Adds one to a person's age, after somebody else has added ten, the first `disturbed` times.
  private struct Increment: Sendable {
    let bench: Bench
    let id: ManagedObjectID
    let disturbed: Int
    let runs = Locked(0)

    init(_ bench: Bench, disturbed: Int) throws {
      self.bench = bench
      self.disturbed = disturbed
      let context = bench.child()
      id = Person.named("jack", in: context).objectID
      try context.saveAndWait(toPersistentStore: true)
    }

    func run(_ context: LocalContext) throws {
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      let person = try Person.find(id, in: context)
      person?.age += 1
      guard run <= disturbed else { return }
      try bench.stack.saveAndWait { try Person.find(id, in: $0)?.age += 10 }
    }

    var age: Int? { get throws { try Person.find(id, in: bench.committed())?.age } }
  }

  @Test(arguments: StoreKind.allCases)
  func `a conflict runs the block again, in a context with the newest values`(
    _ kind: StoreKind
  ) async throws {
    let increment = try Increment(Bench(kind), disturbed: 2)
    try await increment.bench.stack.save(retries: 3) { try increment.run($0) }
    #expect(try increment.age == 21 && increment.runs.withLock { $0 } == 3)
    let repeats = increment.bench.log.lines.filter { $0.message.hasPrefix("Saving again") }
    #expect(repeats.map { $0.metadata["attempt"] } == ["2/4", "3/4"])
    #expect(repeats.allSatisfy { $0.message.contains("RetryTests.swift:") })
    let handled = increment.bench.log.messages(.notice).filter { $0.hasPrefix("Could not save") }
    #expect(handled.count == 2 && increment.bench.log.messages(.error).isEmpty)
  }

  @Test func `the form that waits runs its block again, too`() throws {
    let increment = try Increment(Bench(), disturbed: 1)
    try increment.bench.stack.saveAndWait(named: "Pay", retries: 1) { try increment.run($0) }
    #expect(try increment.age == 11)
    let repeats = increment.bench.log.messages().filter { $0.hasPrefix("Saving again") }
    #expect(repeats == ["Saving again after a conflict: Pay"])
  }

  @Test func `after the last one the conflict is thrown`() async throws {
    let increment = try Increment(Bench(), disturbed: 9)
    let error = await #expect(throws: CauldronError.self) {
      try await increment.bench.stack.save(retries: 2) { try increment.run($0) }
    }
    #expect(error?.code == .saveConflict && increment.runs.withLock { $0 } == 3)
    #expect(try increment.age == 30)
    #expect(increment.bench.log.messages(.error).count == 1)
  }

  @Test func `without retries the block runs once`() async throws {
    let increment = try Increment(Bench(), disturbed: 9)
    await #expect(throws: CauldronError.self) {
      try await increment.bench.stack.save { try increment.run($0) }
    }
    #expect(increment.runs.withLock { $0 } == 1)
  }

  @Test func `other errors are not tried again`() async throws {
    let bench = try Bench()
    let runs = Locked(0)
    let error = await #expect(throws: CauldronError.self) {
      try await bench.stack.save(retries: 3) { context in
        runs.withLock { $0 += 1 }
        _ = Person.create(in: context)
      }
    }
    #expect(error?.code == .validationMissing && runs.withLock { $0 } == 1)
  }
}
