import Cauldron
import Dispatch
import Foundation
import Logging
import TestSupport
import Testing

/// Closing a stack waits for the blocks whose save was asked for, as long as something is done.
@Suite(.againstHanging, .ownThread) struct ClosingWaitTests {
  private func reopened(_ bench: Bench) throws -> [String] {
    let again = try bench.reopened()
    defer { try? again.stack.close() }
    return try Person.names(in: again.committed())
  }

  /// Runs work on a thread of its own, and tells how it has ended.
  private func elsewhere(_ body: @escaping @Sendable () throws -> Void) -> () -> String? {
    let ended = DispatchSemaphore(value: 0)
    let failure = Locked<String?>(nil)
    Thread.detachNewThread {
      do { try body() } catch { failure.withLock { $0 = "\(error)" } }
      ended.signal()
    }
    return {
      ended.wait()
      return failure.withLock { $0 }
    }
  }

  /// What runs a block on the calling thread and saves it.
  enum Form: CaseIterable, Sendable { case stack, root, background, retries }

  @Test(arguments: StackLayout.allCases, Form.allCases)
  func `a block that runs on another thread is stored`(
    _ layout: StackLayout, _ form: Form
  ) throws {
    let bench = try Bench(.file) { $0.layout = layout }
    let started = DispatchSemaphore(value: 0)
    let ending = elsewhere {
      let block: (LocalContext) -> Void = { local in
        started.signal()
        usleep(100_000)
        Person.named("a", in: local.context)
      }
      switch form {
      case .stack: try bench.stack.saveAndWait(block)
      case .root: try bench.root.saveAndWait(block)
      case .background: try bench.stack.newBackgroundContext().saveAndWait(block)
      case .retries: try bench.stack.saveAndWait(retries: 2, block)
      }
    }
    started.wait()
    // The main queue is free: where the save passes the main context, its level runs there.
    try bench.stack.close()
    #expect(ending() == nil)
    #expect(try reopened(bench) == ["a"])
  }

  @Test func `a block that closes the stack itself ends with an error, and nothing waits`() throws {
    let bench = try Bench(.file)
    let error = cauldronError {
      try bench.stack.saveAndWait { local in
        Person.named("a", in: local.context)
        try bench.stack.close()
      }
    }
    #expect(error?.code == .stackClosed)
  }

  @Test func `a block that throws is not waited for any longer`() throws {
    let bench = try Bench(.file)
    #expect(throws: CancellationError.self) {
      try bench.stack.saveAndWait { _ in throw CancellationError() }
    }
    #expect(!bench.stack.description.contains("save "))
    try bench.stack.close(patience: 60)
  }

  @Test(arguments: StackLayout.allCases)
  func `a block that works is waited for, however long that takes`(_ layout: StackLayout) throws {
    let bench = try Bench(.file) { $0.layout = layout }
    let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let outcome = Locked<Bool?>(nil)
    bench.stack.save(
      { local in
        started.signal()
        for number in 0..<30 {
          usleep(50_000)
          Person.named("\(number)", in: local.context)
        }
      },
      completion: { didSave, error in
        outcome.withLock { $0 = didSave && error == nil }
        ended.signal()
      })
    started.wait()
    try bench.stack.close(patience: 0.5)
    ended.wait()
    #expect(outcome.withLock { $0 } == true)
    #expect(try reopened(bench).count == 30)
    #expect(bench.log.messages(.warning).isEmpty)
  }

  @Test func `a block that waits for what never comes is given up`() throws {
    let bench = try Bench(.file)
    let (gate, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let outcome = Locked<(any Error)?>(nil)
    bench.stack.save(
      { local in
        Person.named("a", in: local.context)
        gate.wait()
      },
      completion: { _, error in
        outcome.withLock { $0 = error }
        ended.signal()
      })
    try bench.stack.close(patience: 0.25)
    gate.signal()
    ended.wait()
    #expect((outcome.withLock { $0 } as? CauldronError)?.code == .stackClosed)
    #expect(bench.log.messages(.warning).contains { $0.contains("while 1 saves wait") })
  }

  @Test func `a save that is tried again is waited for between the attempts`() throws {
    let bench = try Bench(.file)
    let maker = bench.child()
    let id = Person.named("a", age: 1, in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let (read, go, told) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let runs = Locked(0)
    // Between the attempts, where it takes long.
    bench.log.onLine { line in
      guard line.message.hasPrefix("Saving again") else { return }
      told.signal()
      usleep(100_000)
    }
    let ending = elsewhere {
      try bench.stack.saveAndWait(retries: 3) { local in
        try #require(try Person.find(id, in: local)).age += 1
        let isFirst = runs.withLock { runs in
          runs += 1
          return runs == 1
        }
        if isFirst {
          read.signal()
          go.wait()
        }
      }
    }
    read.wait()
    try bench.stack.saveAndWait { try #require(try Person.find(id, in: $0)).age = 10 }
    go.signal()
    told.wait()
    try bench.stack.close()
    #expect(ending() == nil)
    let again = try bench.reopened()
    #expect(try Person.findFirst(in: again.committed())?.age == 11)
    try again.stack.close()
  }

  @Test @MainActor func `an awaited save that is tried again is stored though its actor closes`()
    async throws
  {
    let bench = try Bench(.file) { $0.mainQueue = .main }
    let maker = bench.child()
    let id = Person.named("a", age: 1, in: maker).objectID
    try await maker.save(toPersistentStore: true)
    let (read, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let runs = Locked(0)
    let saving = Task { @MainActor in
      try await bench.stack.save(retries: 3) { local in
        try #require(try Person.find(id, in: local)).age += 1
        let isFirst = runs.withLock { runs in
          runs += 1
          return runs == 1
        }
        if isFirst {
          read.signal()
          go.wait()
        }
      }
    }
    await Task.yield()
    try disturbAndClose(bench, id, read, go)
    try await saving.value
    let again = try bench.reopened()
    #expect(try Person.findFirst(in: again.committed())?.age == 11)
    try again.stack.close()
  }

  /// Has the first attempt meet a conflict, and closes the stack.
  @MainActor private func disturbAndClose(
    _ bench: Bench, _ id: ManagedObjectID, _ read: DispatchSemaphore, _ go: DispatchSemaphore
  ) throws {
    read.wait()
    try bench.stack.saveAndWait { try #require(try Person.find(id, in: $0)).age = 10 }
    go.signal()
    try bench.stack.close()
  }
}
