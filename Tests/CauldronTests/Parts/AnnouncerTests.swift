import Cauldron
import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What a context tells its observers.
@Suite(.againstHanging) struct AnnouncerTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let told = Locked<[ContextChange.Kind]>([])

  init() throws {
    bench = try Bench()
    context = bench.child()
    _ = context.core.announcer.observers.add { [told] change in
      told.withLock { $0.append(change.kind) }
    }
  }

  private var kinds: [ContextChange.Kind] { told.withLock { $0 } }
  private var announcer: Announcer { context.core.announcer }

  @Test func `a change is told with a handle, and not without one`() {
    let parts = ChangeParts(refreshed: [Person.named("x", age: 0, in: context).objectID])
    announcer.postDidChange([], parts: parts, in: nil)
    #expect(kinds == [])
    announcer.postDidChange([], parts: parts, in: context)
    #expect(kinds == [.objectsDidChange])
  }

  @Test func `where nothing has changed nothing is told`() {
    announcer.postDidChange([], in: context)
    announcer.postDidMerge([], parts: ChangeParts(), in: context)
    announcer.postDidSave([], saveID: 1, in: context)
    #expect(kinds == [])
  }

  @Test func `where nothing has changed no handle is made`() {
    func handle() -> ManagedObjectContext? {
      Issue.record("The handle was asked for.")
      return nil
    }
    announcer.postDidChange([], in: handle())
    announcer.postDidMerge([], parts: ChangeParts(), in: handle())
    announcer.postDidSave([], saveID: 1, in: handle())
  }
}
