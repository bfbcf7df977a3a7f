import Cauldron
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Who may touch a context, asked without one.
@Suite(.againstHanging) struct OwnershipPartTests {
  @Test func `whoever touches it first has it until the claim ends`() async {
    let held = HeldOwnership()
    #expect(held.claim() && held.claim())
    #expect(held.isOwned)
    #expect(await held.onNewThread { $0.prove() } == .foreign)
    #expect(held.prove() == .claim)
    held.ownership.endClaim(.open)
    #expect(!held.isOwned)
    #expect(await held.onNewThread { $0.prove() } == .claim)
    #expect(held.prove() == .foreign)
  }

  @Test func `once its queue has it nobody can claim it`() async {
    let held = HeldOwnership()
    held.ownership.endClaim(.queue)
    held.ownership.endClaim(.open)
    #expect(held.prove() == .foreign)
    let proof = await withCheckedContinuation { continuation in
      held.ownership.queue.async { continuation.resume(returning: held.prove()) }
    }
    #expect(proof == .queue)
  }

  @Test func `a main context is its queue's from the start`() {
    let held = HeldOwnership(.main)
    held.ownership.endClaim(.open)
    #expect(held.prove() == .foreign)
  }

  @Test func `the thread that used it last is known`() async {
    let held = HeldOwnership()
    #expect(held.lastThread == 0)
    _ = held.claim()
    let first = held.lastThread
    await held.onNewThread { $0.ownership.noteUser() }
    #expect(first != 0 && held.lastThread != first)
  }
}
