import Cauldron
import CauldronTesting
import Foundation
import Logging
import TestSupport
import Testing

@Entity final class Plant: ManagedObject {
  var name: String
  var height: Int = 0
  @Relationship(inverse: \Bed.plants) var bed: Bed?
}

@Entity final class Bed: ManagedObject {
  var name: String
  @Relationship var plants: ToMany<Plant>
}

extension Fixture {
  static let garden = Fixture { context in
    let bed = Bed.create(in: context)
    bed.name = "South"
    for name in ["rose", "tulip"] {
      let plant = Plant.create(in: context)
      plant.name = name
      plant.bed = bed
    }
  }

  static let tree = Fixture { context in
    let plant = Plant.create(in: context)
    plant.name = "oak"
    plant.bed = try Bed.findFirst(\.name, "South", in: context)
  }
}

/// Each test has a stack of its own, though all run side by side and none has set one up.
@Suite(.againstHanging, .stack(entities: Plant.self, Bed.self)) struct StackTraitTests {
  @Test(arguments: 0..<40) func `cases with one store would see each other's objects`(
    _ number: Int
  ) async throws {
    let stack = Stack.default
    for round in 0..<5 {
      try await stack.save { Plant.create(in: $0).name = "plant \(number).\(round)" }
      await Task.yield()
    }
    #expect(Stack.default === stack)
    let names = try await stack.save { try Plant.findAll(sortedBy: \.name, in: $0).map(\.name) }
    #expect(names == (0..<5).map { "plant \(number).\($0)" })
  }

  @Test @MainActor func `the short calls use the test's stack on the main actor`() throws {
    #expect(try Plant.count() == 0)
    Plant.create().name = "rose"
    #expect(try Plant.findFirst(\.name, "rose") != nil)
  }

  @Test func `child tasks have the stack, too`() async throws {
    let stack = Stack.default
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 { group.addTask { Stack.default === stack } }
      for await isSame in group { #expect(isSame) }
    }
  }

  @Test(.stack(.garden, entities: Plant.self, Bed.self))
  func `a test's own trait goes before the suite's`() async throws {
    let count = try await Stack.default.save { try Plant.count(in: $0) }
    #expect(count == 2)
  }

  @Suite struct Nested {
    @Test func `suites within the suite have stacks, too`() async throws {
      #expect(Stack.isSetUp)
      let count = try await Stack.default.save { try Plant.count(in: $0) }
      #expect(count == 0)
    }
  }
}

@Suite(.againstHanging, .stack(.garden, .tree, entities: Plant.self, Bed.self)) struct FixtureTests
{
  @Test(arguments: 0..<10) func `each case begins with the fixtures, whatever others delete`(
    _ number: Int
  ) async throws {
    let deleted = try await Stack.default.save { context in
      let names = try Bed.findFirst(in: context)?.plants.map(\.name).sorted()
      #expect(names == ["oak", "rose", "tulip"])
      return try Plant.deleteAll(where: nil, in: context)
    }
    #expect(deleted == 3)
    let count = try await Stack.default.save { try Plant.count(in: $0) }
    #expect(count == 0)
  }

  @Test(.stack(.garden + .tree, entities: Plant.self, Bed.self))
  func `fixtures can be put together`() async throws {
    let count = try await Stack.default.save { try Plant.count(in: $0) }
    #expect(count == 3)
  }

  @Test func `a fixture that cannot be saved leaves nothing`() async throws {
    let stack = Stack.default
    let broken = Fixture { context in
      Plant.create(in: context).name = "weed"
      throw CancellationError()
    }
    await #expect(throws: CancellationError.self) { try await broken.load(into: stack) }
    let count = try await stack.save { try Plant.count(in: $0) }
    #expect(count == 3)
  }
}

/// The scope itself, run by hand.
@Suite(.againstHanging) struct StackScopeTests {
  @Test func `the stack is closed when the test ends, and its saves are finished`() async throws {
    let trait: StackTrait = .stack(entities: Plant.self, Bed.self)
    let (stream, told) = AsyncStream.makeStream(of: Bool.self)
    let test = try #require(Test.current)
    let kept = Kept()
    try await trait.provideScope(for: test, testCase: nil) {
      kept.stack = Stack.default
      let context = ManagedObjectContext.contextWithParent(Stack.default.rootSavingContext)
      await context.perform { Plant.create(in: $0).name = "rose" }
      context.save(toPersistentStore: true) { saved, _ in told.yield(saved) }
    }
    #expect(kept.stack?.coordinator.isClosed == true)
    var answers = stream.makeAsyncIterator()
    #expect(await answers.next() == true)
  }

  @Test func `the stack is closed when the test throws, and the error is the test's`() async throws
  {
    let trait: StackTrait = .stack(entities: Plant.self, Bed.self)
    let test = try #require(Test.current)
    let kept = Kept()
    await #expect(throws: CancellationError.self) {
      try await trait.provideScope(for: test, testCase: nil) {
        kept.stack = Stack.default
        throw CancellationError()
      }
    }
    #expect(kept.stack?.coordinator.isClosed == true)
  }

  @Test func `a stack that cannot be made fails the test`() async throws {
    let trait: StackTrait = .stack { throw CancellationError() }
    let test = try #require(Test.current)
    await #expect(throws: CancellationError.self) {
      try await trait.provideScope(for: test, testCase: nil) { Issue.record("the test has run") }
    }
  }

  @Test func `without the trait there is no stack`() {
    #expect(!Stack.isSetUp)
  }

  /// `@unchecked Sendable` because it is written before it is read, one after the other.
  private final class Kept: @unchecked Sendable { var stack: Stack? }
}
