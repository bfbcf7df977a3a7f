import Cauldron
import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Whether the program holds an unsaved object of a context.
@Suite(.againstHanging) struct HeldObjectsTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench()
    context = bench.child()
  }

  private func look() -> Int? {
    let core = context.core
    return HeldObjects(event: core.event, pending: core.pending, registry: core.registry)
      .triesUntilOneIsHeld()
  }

  @Test func `a held object is found, and one that only the context has is not`() {
    #expect(look() == nil)
    var person: Person? = Person.named("x", age: 0, in: context)
    let held = look()
    withExtendedLifetime(person) {}
    person = nil
    #expect(held == 0)
    #expect(look() == nil)
  }
}
