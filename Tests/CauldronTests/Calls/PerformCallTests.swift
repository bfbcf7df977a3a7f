import Cauldron
import Dispatch
import TestSupport
import Testing

/// `perform` and `performAndWait` with a block that takes no parameter, as Core Data's do.
@Suite(.againstHanging) struct PerformCallTests {
  private struct Refusal: Error {}

  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench()
    context = bench.child()
  }

  @Test func `a block runs on the context's queue, later, and those behind it after it`() throws {
    let context = context
    let done = DispatchSemaphore(value: 0)
    context.perform { Person(context: context).name = "jack" }
    context.perform {
      Person.create(in: context).name = "jill"
      done.signal()
    }
    done.wait()
    let names = try context.performAndWait { try Person.names(in: context) }
    #expect(names == ["jack", "jill"])
  }

  @Test func `a block is awaited, and returns or throws`() async throws {
    let context = context
    let count = try await context.perform {
      Person(context: context).name = "jack"
      return try Person.count(in: context)
    }
    #expect(count == 1)
    #expect(await context.perform(schedule: .enqueued) { context.hasChanges })
    await #expect(throws: Refusal.self) { try await context.perform { throw Refusal() } }
    try await context.perform { try context.save() }
    #expect(await context.perform { !context.hasChanges })
  }

  @Test func `an awaited block in a block of the same context runs at once, where it may`() async {
    let context = context
    let order = Locked<[Int]>([])
    await context.perform {
      order.withLock { $0.append(1) }
      context.performAndWait { order.withLock { $0.append(2) } }
      order.withLock { $0.append(3) }
    }
    #expect(order.withLock { $0 } == [1, 2, 3])
  }

  @Test func `a block that is waited for returns, throws and writes to what is around it`() throws {
    let queue = bench.main
    bench.mainContext.performAndWait { dispatchPrecondition(condition: .onQueue(queue)) }
    var seen: [String] = []
    context.performAndWait { seen.append(Person.named("jack", in: context).name) }
    #expect(seen == ["jack"])
    #expect(context.performAndWait { context.hasChanges })
    #expect(throws: Refusal.self) { try context.performAndWait { throw Refusal() } }
    try context.performAndWait { try context.save() }
    #expect(context.performAndWait { !context.hasChanges })
  }

  @Test func `a block is one event, which children see at its end`() async throws {
    let context = context
    let child = bench.child("Below", of: context)
    await context.perform { Person(context: context).name = "jack" }
    #expect(try await child.perform { try Person.count(in: child) } == 1)
  }

  @Test func `a block on the main context runs on the main queue`() async throws {
    let main = bench.mainContext
    let queue = bench.main
    try await main.perform {
      dispatchPrecondition(condition: .onQueue(queue))
      Person(context: main).name = "jack"
      try main.save()
    }
    #expect(try bench.onMain { try Person.names(in: $0) } == ["jack"])
  }
}
