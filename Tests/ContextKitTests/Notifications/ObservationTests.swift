import Cauldron
import CauldronModel
import Dispatch
import TestSupport
import Testing

/// Observations may end whenever somebody lets go of them.
@Suite(.againstHanging) struct ObservationTests {
  @Test func `ending an observation ends those that only its closure has kept`() throws {
    let kit = try Kit()
    let child = kit.child()
    let counter = Locked(0)
    let outer = nested(child, counter)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      outer.cancel()
      done.signal()
    }
    // Without a look at the context before: its lock may be held for ever.
    try #require(done.wait(timeout: .now() + 60) == .success)
    child.performAndWait { local in _ = Account.named("a", in: local.context) }
    #expect(counter.withLock { $0 } == 0)
  }

  /// An observation whose closure is all that keeps another one.
  private func nested(
    _ context: ManagedObjectContext, _ counter: Locked<Int>
  ) -> ContextObservation {
    let inner = context.observe { _ in counter.withLock { $0 += 1 } }
    return context.observe { _ in withExtendedLifetime(inner) {} }
  }
}
