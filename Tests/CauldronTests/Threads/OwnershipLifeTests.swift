import Cauldron
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// How long a context lives, and who is told where its handle is.
@Suite(.againstHanging) struct OwnershipLifeTests {
  /// Handles, which do not know that they are used as one.
  private let handle: ManagedObjectContext
  private let other: ManagedObjectContext
  private let held = HeldOwnership()

  init() throws {
    let bench = try Bench()
    handle = bench.child()
    other = bench.child()
    held.ownership.adopt(handle)
  }

  @Test func `a handle is given out as long as there is one, and made anew for a kept context`() {
    var made = 0
    let make = {
      made += 1
      return other
    }
    #expect(held.handle(or: make) === handle && made == 0)
    #expect(held.letGo(of: handle))
    #expect(!held.letGo(of: handle))
    #expect(held.look(0, isFirst: true) == .kept && held.isKept)
    #expect(held.handle(or: make) === other && made == 1)
    #expect(!held.isKept)
    #expect(!held.letGo(of: handle) && held.letGo(of: other))
  }

  @Test func `it ends where nobody holds an unsaved object, and for good`() {
    #expect(held.look(nil) == .unchanged)
    #expect(held.letGo(of: handle))
    #expect(held.look(0) == .kept)
    #expect(held.look(nil) == .ended)
    #expect(held.look(0) == .unchanged)
    #expect(held.handle { other } == nil)
    #expect(held.prove() == .ended)
  }

  @Test func `without unsaved objects none of them is looked at`() {
    #expect(held.letGo(of: handle))
    var looks = 0
    let fate = held.ownership.endUnlessHeld(
      isFirst: false, hasUnsaved: { false },
      triesUntilHeld: {
        looks += 1
        return 0
      })
    #expect(fate == .ended && looks == 0)
  }

  @Test func `after a long look some are left out`() {
    #expect(held.letGo(of: handle))
    #expect(held.look(640) == .kept)
    for _ in 0..<10 { #expect(held.look(nil) == .kept) }
    #expect(held.look(nil) == .ended)
  }

  @Test func `what another thread has claimed is kept at first, whoever holds its objects`() async {
    #expect(held.letGo(of: handle))
    #expect(await held.onNewThread { $0.claim() })
    #expect(held.look(nil, isFirst: true) == .kept)
    #expect(held.look(nil) == .ended)
  }

  @Test func `one event is queued in which a context catches up, and none under a claim`() {
    #expect(held.handleForCatchUp() == nil)
    held.ownership.endClaim(.queue)
    #expect(held.handleForCatchUp() === handle)
    #expect(held.handleForCatchUp() == nil)
    held.ownership.beginCatchUp()
    #expect(held.handleForCatchUp() === handle)
    held.ownership.beginCatchUp()
    #expect(held.letGo(of: handle))
    #expect(held.handleForCatchUp() == nil)
  }
}
