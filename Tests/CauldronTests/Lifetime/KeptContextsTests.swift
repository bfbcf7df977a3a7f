import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// The list of contexts that are kept for unsaved objects.
@Suite(.againstHanging) struct KeptContextsTests {
  /// Asks the list when it is freed, as the end of a context's parent does.
  private final class Kept: KeptContext {
    private let list: KeptContexts
    private let freed: Locked<Int>

    init(_ list: KeptContexts, _ freed: Locked<Int>) {
      self.list = list
      self.freed = freed
    }

    func endUnlessHeldAgain() {}

    deinit {
      if list.isEmpty { freed.withLock { $0 += 100 } }
      freed.withLock { $0 += 1 }
    }
  }

  @Test func `what was looked at is freed at once, and may ask the list then`() {
    let (list, freed) = (KeptContexts(), Locked(0))
    for _ in 0..<10 { list.add(Kept(list, freed)) }
    list.endUnused()
    #expect(freed.withLock { $0 } == 4)
    list.endUnused()
    #expect(freed.withLock { $0 } == 8)
    list.endAllUnused()
    #expect(freed.withLock { $0 } == 210 && list.isEmpty)
  }
}
