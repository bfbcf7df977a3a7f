import Cauldron
import CauldronModel
import Dispatch
import Foundation
import Logging
import TestSupport
import Testing

@Suite(.againstHanging) struct WaitingTests {
  @Test func `nested waits run in order and nothing hangs`() throws {
    let bench = try Bench()
    let (a, b) = (bench.child("A"), bench.child("B"))
    var steps: [String] = []
    a.performAndWait { _ in
      steps.append("a1")
      b.performAndWait { _ in
        steps.append("b1")
        a.performAndWait { _ in steps.append("a2") }
        steps.append("b2")
      }
      a.performAndWait { _ in steps.append("a3") }
      steps.append("a4")
    }
    #expect(steps == ["a1", "b1", "a2", "b2", "a3", "a4"])
  }

  @Test func `work runs in the order in which it was asked for`() async throws {
    let context = try Bench().child()
    let steps = Locked<[Int]>([])
    for number in 0..<100 {
      enqueue(context) { _ in steps.withLock { $0.append(number) } }
    }
    try await onGlobalQueue { context.performAndWait { _ in steps.withLock { $0.append(100) } } }
    #expect(steps.withLock { $0 } == Array(0...100))
  }

  @Test func `a private block runs on the waiting thread, a main one on the main queue`() throws {
    let bench = try Bench()
    let here = pthread_self()
    #expect(bench.child().performAndWait { _ in pthread_equal(pthread_self(), here) != 0 })
    bench.mainContext.performAndWait { _ in dispatchPrecondition(condition: .onQueue(bench.main)) }
  }

  @Test func `a block's value and error reach the caller`() async throws {
    let bench = try Bench()
    let context = bench.child()
    #expect(wait(context) { _ in 7 } == 7)
    #expect(await context.perform { _ in 7 } == 7)
    struct Stop: Error {}
    #expect(throws: Stop.self) { try wait(context) { _ in throw Stop() } }
    await #expect(throws: Stop.self) { try await context.perform { _ in throw Stop() } }
  }

  @Test func `main may wait for a private block that saves into main and waits`() throws {
    let bench = try Bench(.file)
    let context = bench.child("Child", of: bench.mainContext)
    try bench.main.sync {
      try context.performAndWait { local in
        Person.named("jack", in: local.context)
        try local.context.saveAndWait(toPersistentStore: true)
      }
    }
    #expect(try Person.count(in: bench.committed()) == 1)
  }

  @Test func `main may wait for a private queue that waits for main`() async throws {
    let bench = try Bench(.file)
    let context = bench.child("Child", of: bench.mainContext)
    let isInside = DispatchSemaphore(value: 0)
    enqueue(context) { local in
      isInside.signal()
      usleep(20_000)
      Person.named("jack", in: local.context)
      _ = try? local.context.saveAndWait(toPersistentStore: true)
    }
    let count = try await onGlobalQueue {
      isInside.wait()
      return try bench.main.sync {
        try context.performAndWait { local in try Person.count(in: local) }
      }
    }
    #expect(count == 1)
    #expect(try Person.count(in: bench.committed()) == 1)
  }

  @Test func `two private contexts may wait for each other`() async throws {
    let bench = try Bench()
    let (a, b) = (bench.child("A"), bench.child("B"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (first, second) in [(a, b), (b, a)] {
        group.addTask {
          try await onGlobalQueue {
            for _ in 0..<200 {
              first.performAndWait { _ in second.performAndWait { _ in } }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a circle of three with main in it makes progress`() async throws {
    let bench = try Bench()
    let (a, b) = (bench.child("A"), bench.child("B"))
    let ring = [a, b, bench.mainContext]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for start in 0..<3 {
        let (one, two, three) = (ring[start], ring[(start + 1) % 3], ring[(start + 2) % 3])
        group.addTask {
          try await onGlobalQueue {
            for _ in 0..<100 {
              one.performAndWait { _ in
                two.performAndWait { _ in three.performAndWait { _ in } }
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a child fetches and saves while the main thread is blocked`() async throws {
    let bench = try Bench(.file)
    let id = bench.onMain { Person.named("jack", in: $0).objectID }
    try bench.onMain { try $0.save() }
    let (isBlocked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    bench.main.async {
      isBlocked.signal()
      release.wait()
    }
    try await onGlobalQueue {
      isBlocked.wait()
      let child = bench.child("Child", of: bench.mainContext)
      try Person.find(id, in: child)?.age = 5
      #expect(try Person.count(where: \.age == 5, in: child) == 1)
      try child.save()
      Person.named("jill", in: child)
      try child.save()
    }
    release.signal()
    #expect(try bench.onMain { try Person.count(in: $0) } == 2)
  }

  @Test func `a long wait is logged`() async throws {
    let bench = try Bench()
    let context = bench.child("Slow")
    let isLogged: @Sendable () -> Bool = {
      bench.log.messages(.warning).contains { $0.contains("\"Slow\" for a second") }
    }
    // Until the wait that it causes is told of; a busy machine may begin that wait late.
    enqueue(context) { _ in
      for _ in 0..<300 where !isLogged() { usleep(100_000) }
    }
    try await onGlobalQueue { context.performAndWait { _ in } }
    #expect(isLogged())
  }

  @Test func `who is told of a long wait may wait for another context`() async throws {
    let bench = try Bench()
    let (slow, diary) = (bench.child("Slow"), bench.child("Diary"))
    let isHeld = DispatchSemaphore(value: 0)
    let entries = Locked(0)
    bench.log.onLine { line in
      guard line.message.contains("\"Slow\" for a second") else { return }
      isHeld.wait()
      diary.performAndWait { local in
        Person.named("entry", in: local.context)
        entries.withLock { $0 += 1 }
      }
    }
    // Held by another thread when the handler asks for it, so that it has to wait, too.
    Thread.detachNewThread {
      diary.performAndWait { _ in
        isHeld.signal()
        usleep(1_500_000)
      }
    }
    enqueue(slow) { _ in
      for _ in 0..<300 where entries.withLock({ $0 }) == 0 { usleep(100_000) }
    }
    let answer = try await onGlobalQueue { slow.performAndWait { _ in 7 } }
    #expect(answer == 7 && entries.withLock({ $0 }) == 1)
    #expect(try await diary.perform { try Person.count(in: $0) } == 1)
  }

  /// The form of `perform` that does not wait, also in asynchronous code.
  private func enqueue(
    _ context: ManagedObjectContext, _ block: @escaping @Sendable (LocalContext) -> Void
  ) { context.perform(block) }

  /// The form that waits, also in asynchronous code.
  private func wait<Value>(
    _ context: ManagedObjectContext, _ block: (LocalContext) throws -> Value
  ) rethrows -> Value { try context.performAndWait(block) }
}
