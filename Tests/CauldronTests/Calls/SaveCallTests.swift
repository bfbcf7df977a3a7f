import Cauldron
import CauldronModel
import Dispatch
import Logging
import TestSupport
import Testing

/// MagicalRecord's saves of a context by its old names; those of a stack have tests elsewhere.
@Suite(.againstHanging) struct SaveCallTests {
  /// Waits for what a completion was told.
  private func outcome(
    _ begin: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
  ) async -> (Bool, CauldronError?) {
    let (stream, told) = AsyncStream.makeStream(of: (Bool, CauldronError?).self)
    begin { told.yield(($0, $1 as? CauldronError)) }
    var answers = stream.makeAsyncIterator()
    return await answers.next() ?? (false, nil)
  }

  @Test func `MR_saveWithBlock: runs in a child, and saves the chain to the store`() async throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let name = try await parent.save { child in
      Person.named("jack", in: child.context)
      return child.context.parent?.name
    }
    #expect(name == "Parent")
    #expect(try Person.names(in: bench.committed()) == ["jack"])
  }

  @Test func `MR_saveWithBlock: saves nothing where the block throws`() async throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    await #expect(throws: CancellationError.self) {
      try await parent.save { child in
        Person.named("jack", in: child.context)
        throw CancellationError()
      }
    }
    #expect(await parent.perform { $0.hasChanges } == false)
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  @Test func `MR_saveWithBlock:completion: calls back on the main queue`() async throws {
    let bench = try Bench()
    let (main, parent) = (bench.main, bench.child("Parent"))
    let answer = await outcome { done in
      parent.save {
        Person.named("jill", in: $0.context)
      } completion: {
        dispatchPrecondition(condition: .onQueue(main))
        done($0, $1)
      }
    }
    #expect(answer.0)
    #expect(answer.1 == nil)
    #expect(try Person.names(in: bench.committed()) == ["jill"])
  }

  @Test func `MR_saveWithBlockAndWait: has taken the changes in at return`() throws {
    let bench = try Bench()
    let count = try bench.onMain { main in
      let seen = Person.named("jack", in: main)
      try main.saveAndWait { child in try Person.findFirst(in: child)?.name = "jill" }
      return seen.name == "jill" && !main.hasChanges
    }
    #expect(count)
    #expect(try Person.names(in: bench.committed()) == ["jill"])
  }

  @Test func `a block is run again after a conflict, where that is asked for`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let id = Person.named("jack", in: parent).objectID
    try parent.saveAndWait(toPersistentStore: true)
    var runs = 0
    try parent.saveAndWait(named: "birthday", retries: 1) { child in
      runs += 1
      let person = try Person.find(id, in: child)
      person?.age += 1
      guard runs == 1 else { return }
      try bench.stack.saveAndWait { try Person.find(id, in: $0)?.age = 40 }
    }
    #expect(runs == 2)
    #expect(try Person.find(id, in: bench.committed())?.age == 41)
    let notices = bench.log.messages(.notice)
    #expect(notices.count == 2 && notices[0].hasPrefix("Could not save"))
    #expect(notices[1] == "Saving again after a conflict: birthday")
    #expect(bench.log.messages(.error).isEmpty)
  }
}

/// What MRSaveOptions become.
@Suite(.againstHanging) struct SaveOptionTests {
  private struct Setting {
    let bench: Bench
    let context: ManagedObjectContext
    let done = DispatchSemaphore(value: 0)

    init() throws {
      bench = try Bench()
      context = bench.child("Child", of: bench.child("Parent"))
      Person.named("jack", in: context)
    }

    /// Saves, and looks which levels are left with changes at once and at the end.
    func save(_ options: SaveOptions) throws -> (atReturn: [Bool], atEnd: [Bool]) {
      let done = done
      context.save(options: options) { _, _ in done.signal() }
      let atReturn = dirty
      done.wait()
      return (atReturn, dirty)
    }

    private var dirty: [Bool] { context.parentChain.map { bench.isDirty($0) } }
  }

  @Test func `MR_saveWithOptions:completion: with MRSaveSynchronously saves the context alone`()
    async throws
  {
    try await onGlobalQueue {
      let result = try Setting().save(.synchronously)
      #expect(result.atReturn == [false, true, false])
      #expect(result.atEnd == result.atReturn)
    }
  }

  @Test func `with MRSaveParentContexts and MRSaveSynchronously all is saved at return`()
    async throws
  {
    try await onGlobalQueue {
      let setting = try Setting()
      let result = try setting.save([.parentContexts, .synchronously])
      #expect(result.atReturn == [false, false, false])
      #expect(try Person.names(in: setting.bench.committed()) == ["jack"])
    }
  }

  @Test func `without options, or with MRSaveParentContexts, the save ends in the background`()
    async throws
  {
    try await onGlobalQueue {
      let (one, all) = (try Setting().save([]), try Setting().save(.parentContexts))
      #expect(one.atEnd == [false, true, false])
      #expect(all.atEnd == [false, false, false])
    }
  }

  @Test func `MRSaveSynchronouslyExceptRootContext leaves the store to the background`()
    async throws
  {
    try await onGlobalQueue {
      let setting = try Setting()
      // The root's queue is busy until the call has returned.
      let (isBusy, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      setting.bench.root.perform { _ in
        isBusy.signal()
        mayGoOn.wait()
      }
      isBusy.wait()
      let done = DispatchSemaphore(value: 0)
      setting.context.save(options: [.parentContexts, .synchronouslyExceptRootContext]) {
        saved, _ in
        #expect(saved)
        done.signal()
      }
      #expect(try Person.count(in: setting.bench.committed()) == 0)
      #expect(setting.context.parent.map { setting.bench.isDirty($0) } == false)
      mayGoOn.signal()
      done.wait()
      #expect(try Person.names(in: setting.bench.committed()) == ["jack"])
    }
  }

  @Test func `a plain save is awaited from any thread, and says what it did`() async throws {
    let bench = try Bench()
    let main = bench.mainContext
    await main.perform { Person.named("jack", in: main).age = 1 }
    let outcome = try await main.save()
    #expect("\(outcome)".wholeMatch(of: /saved: 1 inserted \(save [0-9]+\)/) != nil, "\(outcome)")
    #expect("\(try await main.save())" == "no changes")
    #expect(try Person.names(in: bench.root) == ["jack"])
    #expect(try Person.count(in: bench.committed()) == 0)
    await main.perform { Person.named("jill", in: main).email = "taken" }
    await main.perform { Person.named("joan", in: main).email = "taken" }
    let error = await #expect(throws: CauldronError.self) {
      try await main.save(toPersistentStore: true)
    }
    #expect(error.map { "\($0.code)" } == "save.constraint")
  }

  @Test func `a plain save that is cancelled saves nothing`() async throws {
    let bench = try Bench()
    let child = bench.child()
    await child.perform { Person.named("jack", in: child).age = 1 }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await child.save()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await child.perform { child.hasChanges })
  }
}
