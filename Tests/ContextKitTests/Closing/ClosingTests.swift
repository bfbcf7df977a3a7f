import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// A stack that is closed finishes the saves that were asked for, and nothing that comes later.
@Suite(.againstHanging, .serialized) struct ClosingTests {
  @Test(arguments: StackLayout.allCases)
  func `a save that waits for the main queue is finished by closing there`(
    _ layout: StackLayout
  ) async throws {
    let kit = try Kit(.file) { $0.layout = layout }
    let outcomes = Outcomes(kit)
    try await finishes {
      try kit.main.sync {
        let child = kit.child()
        Account.named("a", in: child)
        // Its main level can only run when this block has ended.
        child.save(toPersistentStore: true, completion: outcomes.expect(0))
        try kit.stack.close(patience: 5 * slack)
      }
    }
    let reports = outcomes.wait()[0] ?? []
    #expect(reports.map(\.didSave) == [true])
    #expect(try kit.reopened() == ["a"])
  }

  @Test func `saves in every state are finished before close returns`() async throws {
    let kit = try Kit(.file)
    let (outcomes, ended) = (Outcomes(kit), Counter())
    try await finishes(within: 10) {
      let children = (0..<20).map { kit.child("child \($0)") }
      for (number, child) in children.enumerated() {
        child.add("\(number)")
        child.save(
          toPersistentStore: true, completion: outcomes.expect(number) { _ in ended.add() })
      }
      for number in 20..<30 {
        kit.stack.save(
          { Account.named("\(number)", in: $0.context) },
          completion: outcomes.expect(number) { _ in ended.add() })
      }
      try kit.stack.close(patience: 5 * slack)
      // The completions are on their way through the main queue.
      kit.main.sync {}
      #expect(ended.value == 30)
    }
    let reports = outcomes.wait().values.joined()
    #expect(reports.count == 30 && reports.allSatisfy(\.didSave))
    #expect(try kit.reopened().count == 30)
  }

  @Test func `closing waits for a save that waits for the main queue, and then it is stored`()
    async throws
  {
    let kit = try Kit(.file)
    try await finishes {
      let gate = DispatchSemaphore(value: 0)
      kit.main.async { gate.wait() }
      let child = kit.child()
      child.add("a")
      let saved = Counter()
      Thread.detachNewThread {
        if (try? child.saveAndWait(toPersistentStore: true)) != nil { saved.add() }
      }
      while try kit.seenByMain().isEmpty { usleep(500) }
      Thread.detachNewThread {
        usleep(50_000)
        gate.signal()
      }
      try kit.stack.close(patience: 5 * slack)
      while saved.value == 0 { usleep(500) }
    }
    #expect(try kit.reopened() == ["a"])
  }

  @Test func `a save that is asked for while the stack closes is refused`() async throws {
    let kit = try Kit()
    let late = kit.child("late")
    late.add("late")
    let codes = Locked<[CauldronError.Code]>([])
    try await finishes {
      let child = kit.child()
      let observation = child.observe { change in
        guard change.kind == .didSave else { return }
        // The stack begins to close while this save is under way.
        Thread.detachNewThread { try? kit.stack.close(patience: 5 * slack) }
        codes.withLock { $0.append(Self.refusal(of: late)) }
      }
      child.add("a")
      try child.saveAndWait(toPersistentStore: true)
      observation.cancel()
    }
    #expect(codes.withLock { $0 } == [.stackClosed])
  }

  @Test func `a stack that is closed inside a save ends that save with the truth`() async throws {
    let kit = try Kit(.file)
    try await finishes {
      let child = kit.child()
      let observation = child.observe { change in
        if change.kind == .didSave { try? kit.stack.close(patience: 5 * slack) }
      }
      child.add("a")
      // What the save has handed on by then is written as the stack is closed.
      let outcome = try child.saveAndWait(toPersistentStore: true)
      guard case .saved(let summary) = outcome else { return #expect(Bool(false)) }
      #expect(summary.carriedBy != nil && summary.inserted == 1)
      observation.cancel()
    }
    #expect(try kit.reopened() == ["a"])
  }

  @Test func `a save whose queue stands still does not keep the stack open for ever`() async throws
  {
    let kit = try Kit()
    let (gate, outcomes) = (DispatchSemaphore(value: 0), Outcomes(kit))
    kit.main.async { gate.wait() }
    try await finishes(within: 20) {
      let child = kit.child()
      child.add("a")
      child.save(toPersistentStore: true, completion: outcomes.expect(0))
      try kit.stack.close(patience: 5 * slack)
    }
    gate.signal()
    #expect(outcomes.wait()[0]?.first?.error?.code == .stackClosed)
  }

  /// Saves until that is refused, because nobody tells when the stack begins to close.
  private static func refusal(of context: ManagedObjectContext) -> CauldronError.Code {
    while true {
      do { try context.saveAndWait(toPersistentStore: true) } catch {
        return (error as? CauldronError)?.code ?? .storeIO
      }
      context.add("later")
      usleep(1_000)
    }
  }
}
