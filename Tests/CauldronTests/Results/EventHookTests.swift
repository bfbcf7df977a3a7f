import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

struct EventHookTests {
  /// A closure that a generic type holds may be wrapped anew whenever it is looked at.
  @Test func `a hook that was called often is called as directly as the first time`() throws {
    let bench = try Bench(.memory)
    let hook = EventHook()
    let count = Locked(0)
    hook.set { _ in count.withLock { $0 += 1 } }
    for _ in 0..<300_000 { hook.call(bench.mainContext.core.node) }
    #expect(count.withLock { $0 } == 300_000)
  }
}
