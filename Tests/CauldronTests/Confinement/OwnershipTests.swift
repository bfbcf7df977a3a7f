import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

/// An object that is used where it must not be.
private func takenOut(of context: ManagedObjectContext) -> Lent<Person> {
  context.performAndWait { local in Lent(Person.named("jack", in: local.context)) }
}

@Suite(.againstHanging) struct OwnershipTests {
  @Test func `a context that is made and filled on a global queue works as written`() async throws {
    let bench = try Bench(.file)
    let didSave = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let context = ManagedObjectContext.contextWithParent(bench.mainContext)
        let person = Person.create(in: context)
        person.name = "jack"
        context.save(toPersistentStore: true) { didSave, _ in
          continuation.resume(returning: didSave)
        }
      }
    }
    #expect(didSave)
    #expect(try Person.names(in: bench.committed()) == ["jack"])
  }

  @Test func `a task keeps its context when it hops threads`() async throws {
    let bench = try Bench()
    let context = bench.child()
    for number in 0..<50 {
      Person.named("\(number)", in: context)
      await Task.yield()
      try await Task.sleep(for: .microseconds(50))
    }
    #expect(try Person.count(in: context) == 50)
    try await context.save(toPersistentStore: true)
    Person.named("after", in: context)
    #expect(context.hasChanges)
  }

  @Test func `after a save somebody else may take a context over`() async throws {
    let bench = try Bench()
    let context = bench.child()
    Person.named("a", in: context)
    try { try context.save() }()
    try await onGlobalQueue {
      Person.named("b", in: context)
      try context.save()
    }
    #expect(try Person.names(in: context) == ["a", "b"])
  }

  @Test func `two threads may save one context at once`() async throws {
    let bench = try Bench(.file)
    let context = bench.child()
    Person.named("jack", in: context)
    try { try context.save() }()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { _ = try? await context.save(toPersistentStore: true) }
      }
    }
    #expect(try Person.count(in: bench.committed()) == 1)
  }

  @Test func `a root that is saved directly is not disturbed by the saves that pass`() async throws
  {
    let bench = try Bench(.file)
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for round in 0..<10 {
            let child = bench.child("\(number)")
            Person.named("\(number) \(round)", in: child)
            _ = try? await child.save(toPersistentStore: true)
            _ = try? await bench.root.save(toPersistentStore: true)
          }
        }
      }
    }
    #expect(try Person.count(in: bench.committed()) == 80)
  }

  @Test func `use from another thread stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try Bench()
      let context = bench.child("Drafts")
      await context.perform { context in _ = Person.named("jack", in: context.context) }
      await onNewThread { _ = try? Person.count(in: context) }
    }
    #expect(
      result.sentence.contains(
        "Context \"Drafts\" was used outside perform(_:) and performAndWait(_:): on thread "))
    #expect(result.sentence.contains("but it belongs to its private queue (last used on thread"))
  }

  @Test func `use behind performAndWait on the same thread tells so, and its number once`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Bench().child("Drafts")
      _ = takenOut(of: context).value.name
    }
    #expect(
      result.sentence.contains(
        "but it belongs to its private queue, whose last block ran on the same thread."))
    #expect(result.sentence.matches(of: /on thread \d+/).count == 1)
  }

  @Test func `use of a main object off the main queue stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try Bench()
      let person = bench.onMain { Person.named("jack", in: $0) }
      bench.settleMain()
      _ = person.name
    }
    #expect(result.sentence.contains("Context \"Default Context\" was used outside perform(_:)"))
    #expect(result.sentence.contains("but it belongs to the main queue"))
  }

  @Test func `use of a context that another task has claimed stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try Bench()
      let context = bench.child("Drafts")
      Person.named("jack", in: context)
      await onNewThread { _ = try? Person.count(in: context) }
    }
    #expect(result.sentence.contains("Context \"Drafts\" was used outside perform(_:)"))
  }

  @Test func `use of an object without its context stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try Bench()
      var context: ManagedObjectContext? = bench.child("Drafts")
      let person = context.map { Person.named("jack", in: $0) }
      try await context?.save()
      context = nil
      _ = person?.name
    }
    #expect(
      result.sentence.contains(
        "An object was used that belongs to a context that no longer exists: \"Drafts\"."
          + " Hold the context for as long as its objects are used."))
  }

  @Test func `on the main queue a context lives until the end of the turn`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try Bench()
      let person = try bench.onMain { parent in
        let context = ManagedObjectContext(.main, parent: parent, name: "Drafts")
        let person = Person.named("jack", in: context)
        try context.save()
        return person
      }
      bench.settleMain()
      bench.onMain { _ in _ = person.name }
    }
    #expect(
      result.sentence.contains(
        "An object was used that belongs to a context that no longer exists: \"Drafts\"."
          + " Hold the context for as long as its objects are used."))
  }

  @Test func `a short call without a stack stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ManagedObjectContext.default
    }
    #expect(
      result.sentence.contains("No stack is set up. Call setupStack(storeURL:) first."))
  }

  @Test func `a class that is not in the model stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Hooked.create(in: try Bench().child())
    }
    #expect(result.sentence.contains("Hooked is not in model \"Model\"."))
  }
}
