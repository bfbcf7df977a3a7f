import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct CompletionTests {
  private static let key = DispatchSpecificKey<Bool>()

  private struct Answer: Sendable {
    let didSave: Bool
    let error: CauldronError?
    let isOnMain: Bool
  }

  /// Calls the completion form and gives all answers that came until everything was quiet.
  private func answers(_ bench: Bench, _ context: ManagedObjectContext) async -> [Answer] {
    bench.main.setSpecific(key: Self.key, value: true)
    let (stream, continuation) = AsyncStream.makeStream(of: Answer.self)
    context.save(toPersistentStore: true) { didSave, error in
      continuation.yield(
        Answer(
          didSave: didSave, error: error as? CauldronError,
          isOnMain: DispatchQueue.getSpecific(key: Self.key) == true))
      bench.main.asyncAfter(deadline: .now() + 0.05) { continuation.finish() }
    }
    var all: [Answer] = []
    for await answer in stream { all.append(answer) }
    return all
  }

  @Test(arguments: StoreKind.allCases)
  func `it is called once, on the main queue, after the commit`(_ kind: StoreKind) async throws {
    let bench = try Bench(kind)
    let context = bench.child("Child", of: bench.mainContext)
    Person.named("jack", in: context)
    let answers = await answers(bench, context)
    #expect(answers.count == 1)
    #expect(answers.first?.didSave == true && answers.first?.error == nil)
    #expect(answers.first?.isOnMain == true)
    #expect(try Person.count(in: bench.committed()) == 1)
  }

  @Test func `nothing to save is neither a save nor an error`() async throws {
    let bench = try Bench()
    let answers = await answers(bench, bench.child("Child", of: bench.mainContext))
    #expect(answers.count == 1)
    #expect(answers.first?.didSave == false && answers.first?.error == nil)
    #expect(answers.first?.isOnMain == true)
  }

  @Test func `a failure comes with its error, which names the level`() async throws {
    let bench = try Bench()
    let context = bench.child("Child", of: bench.mainContext)
    _ = Person.create(in: context)
    let answers = await answers(bench, context)
    #expect(answers.count == 1)
    #expect(answers.first?.didSave == false && answers.first?.isOnMain == true)
    #expect(answers.first?.error?.code == .validationMissing)
    #expect(answers.first?.error?.contextName == "Child")
  }

  @Test func `an object saves its context`() async throws {
    let bench = try Bench()
    let context = bench.child("Child", of: bench.mainContext)
    let jack = Person.named("jack", in: context)
    let didSave = await withCheckedContinuation { continuation in
      jack.save(toPersistentStore: true) { didSave, _ in continuation.resume(returning: didSave) }
    }
    #expect(didSave)
    #expect(try Person.count(in: bench.committed()) == 1)
  }

  @Test func `the asynchronous form tells what was saved`() async throws {
    let bench = try Bench()
    let context = bench.child("Child", of: bench.mainContext)
    let (a, b) = (Person.named("a", in: context), Person.named("b", in: context))
    try await context.save(toPersistentStore: true)
    a.age = 1
    b.delete()
    Person.named("c", in: context)
    guard case .saved(let summary) = try await context.save(toPersistentStore: true) else {
      Issue.record("not saved")
      return
    }
    #expect(summary.inserted == 1 && summary.updated == 1 && summary.deleted == 1)
    #expect(try await context.save(toPersistentStore: true) == .noChanges)
  }

  @Test func `a cancelled task saves nothing`() async throws {
    let bench = try Bench()
    let task = Task {
      let context = bench.child("Child", of: bench.mainContext)
      Person.named("jack", in: context)
      withUnsafeCurrentTask { $0?.cancel() }
      try await context.save(toPersistentStore: true)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try Person.count(in: bench.root) == 0)
  }

  @Test func `a save that only concerns one level stops there`() async throws {
    let bench = try Bench()
    let context = bench.child("Child", of: bench.mainContext)
    Person.named("jack", in: context)
    try await context.save(toPersistentStore: false)
    #expect(try Person.count(in: bench.root) == 0)
    #expect(try bench.onMain { try Person.count(in: $0) } == 1)
  }

  @Test func `saveAndWait works from the main queue and from others`() async throws {
    let bench = try Bench(.file)
    try bench.onMain { context in
      Person.named("a", in: context)
      try context.saveAndWait(toPersistentStore: true)
      let child = bench.child("Child", of: context)
      Person.named("b", in: child)
      try child.saveAndWait(toPersistentStore: true)
    }
    try await onGlobalQueue {
      let child = bench.child("Child", of: bench.mainContext)
      Person.named("c", in: child)
      try child.saveAndWait(toPersistentStore: true)
    }
    #expect(try Person.names(in: bench.committed()) == ["a", "b", "c"])
  }

  @Test func `saves of many siblings at once are all told the truth`() async throws {
    let bench = try Bench(.file)
    let outcomes = try await withThrowingTaskGroup(of: SaveOutcome.self) { group in
      for number in 0..<20 {
        group.addTask {
          let context = bench.child("\(number)", of: bench.mainContext)
          Person.named("\(number)", in: context)
          return try await context.save(toPersistentStore: true)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count == 20 && outcomes.allSatisfy { $0 != .noChanges })
    #expect(try Person.count(in: bench.committed()) == 20)
  }
}
