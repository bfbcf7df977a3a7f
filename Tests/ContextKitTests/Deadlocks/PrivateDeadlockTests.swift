import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

/// Private contexts wait for each other, on threads of any kind.
@Suite(.againstHanging, .serialized) struct PrivateDeadlockTests {
  @Test func `two private contexts wait for each other from two threads`() async throws {
    let kit = try Kit()
    let contexts = [kit.child("a"), kit.child("b")]
    try await finishes {
      for _ in 0..<50 {
        let bothInside = DispatchGroup()
        for _ in contexts { bothInside.enter() }
        onThreads(2) { number in
          contexts[number].performAndWait { _ in
            bothInside.leave()
            bothInside.wait()
            contexts[1 - number].performAndWait { other in
              _ = Account.named("from \(number)", in: other.context)
            }
          }
        }
      }
      for context in contexts { try context.saveAndWait(toPersistentStore: true) }
      #expect(try kit.stored().count == 100)
    }
  }

  @Test func `three contexts wait for each other in a circle`() async throws {
    let kit = try Kit()
    let contexts = (0..<3).map { kit.child("context \($0)") }
    try await finishes {
      let ran = Counter()
      let allInside = DispatchGroup()
      for _ in contexts { allInside.enter() }
      onThreads(3) { number in
        contexts[number].performAndWait { _ in
          allInside.leave()
          allInside.wait()
          contexts[(number + 1) % 3].performAndWait { _ in ran.add() }
        }
      }
      #expect(ran.value == 3)
    }
  }

  @Test func `a thread that serves another one waits for a third meanwhile`() async throws {
    let kit = try Kit()
    let (a, b, c) = (kit.child("a"), kit.child("b"), kit.child("c"))
    try await finishes {
      let ran = Counter()
      let hasC = DispatchSemaphore(value: 0)
      let bothInside = DispatchGroup()
      bothInside.enter()
      bothInside.enter()
      onThreads(3) { number in
        switch number {
        case 0:
          a.performAndWait { _ in
            bothInside.leave()
            bothInside.wait()
            b.performAndWait { _ in ran.add() }
          }
        case 1:
          b.performAndWait { _ in
            bothInside.leave()
            bothInside.wait()
            a.performAndWait { _ in
              hasC.wait()
              // Runs on the thread that waits for b; that one waits for c now.
              c.performAndWait { _ in ran.add() }
            }
          }
        default:
          c.performAndWait { _ in
            hasC.signal()
            usleep(20_000)
            ran.add()
          }
        }
      }
      #expect(ran.value == 3)
    }
  }

  @Test func `sixty-four contexts save at once`() async throws {
    let kit = try Kit()
    try await finishes {
      onThreads(64) { number in
        let context = kit.child("context \(number)", of: number % 2 == 0 ? kit.root : nil)
        context.add("account \(number)")
        _ = try? context.saveAndWait(toPersistentStore: true)
      }
      let stored = try kit.stored()
      #expect(stored.count == 64)
    }
  }

  @Test func `a hundred dispatch workers wait for one context`() async throws {
    let kit = try Kit()
    let context = kit.child()
    try await finishes {
      let group = DispatchGroup()
      for number in 0..<100 {
        DispatchQueue.global(qos: .userInitiated).async(group: group) {
          context.add("account \(number)")
        }
      }
      group.wait()
      try context.saveAndWait(toPersistentStore: true)
      #expect(try kit.stored().count == 100)
    }
  }

  @Test func `a save goes on while every dispatch worker is blocked`() async throws {
    let kit = try Kit()
    try await finishes {
      let isSaved = DispatchSemaphore(value: 0)
      let workers = ProcessInfo.processInfo.activeProcessorCount
      for _ in 0..<workers {
        DispatchQueue.global(qos: .userInitiated).async {
          isSaved.wait()
          isSaved.signal()
        }
      }
      let child = kit.child()
      child.perform { local in
        Account.named("a", in: local.context)
        local.context.save(toPersistentStore: true) { didSave, _ in
          #expect(didSave)
          isSaved.signal()
        }
      }
      isSaved.wait()
      isSaved.signal()
      let stored = try kit.stored()
      #expect(stored == ["a"])
    }
  }

  @Test func `an asynchronous block queued inside a wait runs after it`() async throws {
    let kit = try Kit()
    let context = kit.child()
    try await finishes {
      let isDone = DispatchSemaphore(value: 0)
      context.performAndWait { _ in
        context.perform { local in
          #expect((try? Account.owners(in: local)) == ["first"])
          isDone.signal()
        }
        context.add("first")
      }
      isDone.wait()
    }
  }

  @Test func `nested waits on one context run in order`() async throws {
    let kit = try Kit()
    let context = kit.child()
    try await finishes {
      context.performAndWait { _ in
        context.add("1")
        context.performAndWait { _ in
          context.add("2")
          context.performAndWait { _ in context.add("3") }
        }
        context.add("4")
      }
      let marks = context.performAndWait { $0.context.insertedObjects.map(\.objectID.key) }
      #expect(marks == marks.sorted())
      #expect(marks.count == 4)
    }
  }
}
