public import Cauldron

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
