import Cauldron
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Numbers and groups that stay right.
@Suite(.againstHanging, .ownThread) struct LiveValueTests {
  private let bench: Bench

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    for (name, age) in [("ann", 10), ("bob", 20), ("cid", 20)] {
      Person.named(name, age: age, in: maker)
    }
    try maker.saveAndWait(toPersistentStore: true)
  }

  private func text(_ groups: [(key: Int, values: (Int?, String?))]) -> String {
    groups.map { "\($0.key): \($0.values.0 ?? 0) \($0.values.1 ?? "-")" }.joined(separator: ", ")
  }

  @Test func `groups are told anew when an edit, a save or another context changes them`()
    async throws
  {
    let context = bench.mainContext
    var groups = Person.grouped(by: \.age)
      .updates(in: context) { ($0.count, $0.max(\.name)) }.makeAsyncIterator()
    #expect(text(try #require(try await groups.next())) == "10: 1 ann, 20: 2 cid")
    let child = bench.child()
    await child.perform { _ = Person.named("dan", age: 10, in: $0.context) }
    try await child.save(toPersistentStore: false)
    #expect(text(try #require(try await groups.next())) == "10: 2 dan, 20: 2 cid")
    // A commit of the same changes is no news; what follows is the next state.
    try await context.save(toPersistentStore: true)
    let other = bench.child()
    try await other.perform { local in
      try Person.where(\.name == "cid").fetch(in: local).first?.name = "zoe"
    }
    try await other.save(toPersistentStore: true)
    #expect(text(try #require(try await groups.next())) == "10: 2 dan, 20: 2 zoe")
  }

  @Test func `lines are told anew, and a change that leaves them as they are is none`() async throws
  {
    var lines = Person.where(\.age == 20).sorted(by: \.name).select(\.name)
      .updates(in: bench.mainContext).makeAsyncIterator()
    #expect(try await lines.next() == ["bob", "cid"])
    let child = bench.child()
    await child.perform { _ = Person.named("eva", age: 30, in: $0.context) }
    try await child.save(toPersistentStore: false)
    await child.perform { _ = Person.named("fay", age: 20, in: $0.context) }
    try await child.save(toPersistentStore: false)
    #expect(try await lines.next() == ["bob", "cid", "fay"])
  }

  @Test func `an idle sequence holds no journal, and a closed stack ends it with an error`()
    async throws
  {
    let context = bench.mainContext
    var counts = Person.where(\.age == 20).counts(in: context).makeAsyncIterator()
    #expect(try await counts.next() == 2)
    let ledger = bench.mainContext.core.coordinator.ledger
    #expect(ledger.withLock { ledger.journal.isActive })
    let child = bench.child()
    await child.perform { _ = Person.named("gus", age: 20, in: $0.context) }
    try await child.save(toPersistentStore: false)
    let isIdle = await becomes { !ledger.withLock { ledger.journal.isActive } }
    #expect(isIdle)
    #expect(try await counts.next() == 3)
    try bench.stack.close()
    await #expect(throws: CauldronError.self) { try await counts.next() }
  }

  @Test func `a task that is cancelled ends the sequence`() async throws {
    let context = bench.mainContext
    let task = Task {
      var numbers: [Int] = []
      for try await number in Person.where(\.age == 20).counts(in: context) {
        numbers.append(number)
      }
      return numbers
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    #expect(try await task.value == [2] || task.isCancelled)
  }

  private func becomes(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<1_000 {
      if condition() { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }
}
