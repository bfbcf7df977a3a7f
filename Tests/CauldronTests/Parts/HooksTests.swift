import Cauldron
import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Hooks of objects, and what is refused while they run.
@Suite(.againstHanging) struct HooksTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private var hooks: Hooks { context.core.hooks }

  init() throws {
    bench = try Bench()
    context = bench.child()
  }

  @Test func `a save is refused while a hook runs, and the error names the hook`() throws {
    let person = Person.named("x", age: 0, in: context)
    try hooks.checkMayBeSaved()
    hooks.run("didSave()", of: person, isOfSave: true) {
      let error = #expect(throws: CauldronError.self) { try hooks.checkMayBeSaved() }
      #expect(error?.message.contains("didSave() of Person") == true)
    }
    try hooks.checkMayBeSaved()
  }

  @Test func `a save is refused while observers are told that one begins`() throws {
    context.core.event.tellsOfSave = true
    #expect(throws: CauldronError.self) { try hooks.checkMayBeSaved() }
    try hooks.checkNoHookRuns()
    context.core.event.tellsOfSave = false
    try hooks.checkMayBeSaved()
  }
}
