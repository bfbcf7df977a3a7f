public import Cauldron
import Dispatch
public import Testing

/// Gives each test a default stack of its own; made by `.stack(…)`.
public struct StackTrait: TestTrait, SuiteTrait, TestScoping {
  private let fixtures: [Fixture]
  private let make: @Sendable () throws -> Stack

  init(_ fixtures: [Fixture], _ make: @escaping @Sendable () throws -> Stack) {
    self.fixtures = fixtures
    self.make = make
  }

  /// Each test of a suite, and of the suites in it, has its own stack.
  public var isRecursive: Bool { true }

  /// Runs a test with a stack, and closes it afterwards.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let stack = try make()
    do {
      for fixture in fixtures { try await fixture.load(into: stack) }
      try await Stack.$current.withValue(stack) { try await function() }
    } catch {
      try? await close(stack)
      throw error
    }
    try await close(stack)
  }

  /// Closing waits for saves under way, and must not keep the tests' few threads from running.
  private func close(_ stack: Stack) async throws {
    try await withCheckedThrowingContinuation { done in
      DispatchQueue.global().async { done.resume(with: Result { try stack.close() }) }
    }
  }
}

extension Trait where Self == StackTrait {
  /// Gives each test a default stack of its own, in memory; tests run in parallel as before.
  ///
  /// ```swift
  /// @Suite(.stack()) struct PersonTests {
  ///   @Test @MainActor func `a person is found`() throws {
  ///     Person.create().name = "jill"
  ///     #expect(try Person.findFirst(\.name, "jill") != nil)
  ///   }
  /// }
  /// ```
  /// ``Cauldron/Stack/default`` is the test's stack in the test and in the tasks that it begins; a
  /// detached task, or a block on a queue, must be given it: `let stack = Stack.default`. Each case of
  /// a test with arguments has its own. When the test ends, saves under way are finished and the stack
  /// is closed, so that nothing is left.
  /// - Parameters:
  ///   - fixtures: What the store holds when the test begins, in this order; nothing by default.
  ///   - entities: The classes of the model, where the test bundle has others that are named alike; by
  ///     default every `@Entity` class of the bundle.
  ///   - configuration: Where to log, and what counts as the main queue.
  public static func stack(
    _ fixtures: Fixture..., entities: ManagedObject.Type...,
    configuration: StackConfiguration = StackConfiguration()
  ) -> StackTrait {
    StackTrait(fixtures) {
      let model =
        entities.isEmpty
        ? nil : try ManagedObjectModel(entities: entities.map { $0._describeEntity() })
      return try Stack(storeURL: nil, model: model, configuration: configuration)
    }
  }

  /// Gives each test the default stack that a closure makes: in a file, perhaps, or with a model that is
  /// described by hand.
  ///
  /// ```swift
  /// @Test(.stack { try Stack(storeURL: scratchFile(), model: legacyModel()) })
  /// ```
  public static func stack(
    _ fixtures: Fixture..., making make: @escaping @Sendable () throws -> Stack
  ) -> StackTrait {
    StackTrait(fixtures, make)
  }
}

/// Objects that tests begin with, as code that makes them.
///
/// ```swift
/// extension Fixture {
///   static let staff = Fixture { context in
///     let acme = Company.create(in: context)
///     acme.name = "Acme"
///     Person.create(in: context).employer = acme
///   }
/// }
///
/// @Test(.stack(.staff)) @MainActor func `Acme has one employee`() throws {
///   #expect(try Company.findFirst()?.employees.count == 1)
/// }
/// ```
/// A fixture is a value: each test runs the code anew, so that no test sees what another one did.
public struct Fixture: Sendable {
  private let fill: @Sendable (LocalContext) throws -> Void

  /// A fixture of what a block makes.
  /// - Parameter fill: Creates objects in the context that it is given; they are saved afterwards.
  public init(_ fill: @escaping @Sendable (LocalContext) throws -> Void) { self.fill = fill }

  /// Both, in one save; the second one may look for what the first one made.
  public static func + (first: Fixture, second: Fixture) -> Fixture {
    Fixture { context in
      try first.fill(context)
      try second.fill(context)
    }
  }

  /// Makes the objects and saves them to the store of a stack.
  /// - Throws: What the block throws, or what the save meets, such as `validation.…`: then nothing of
  ///   the fixture is there.
  public func load(into stack: Stack) async throws {
    let fill = fill
    try await stack.save(named: "Fixture") { context in try fill(context) }
  }
}
