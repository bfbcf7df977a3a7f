import Foundation

@testable import CauldronGraph
@testable import CauldronLedger

/// An ownership that may be captured and asked from any thread.
final class HeldOwnership: @unchecked Sendable {
  let ownership: Ownership

  init(_ kind: ManagedObjectContext.ConcurrencyType = .private) {
    ownership = Ownership(queue: ContextQueue(kind: .background), kind: kind)
  }

  var isOwned: Bool { ownership.isCurrent && ownership.isClaimedByCaller }
  var isKept: Bool { ownership.isKept }
  var lastThread: Int { ownership.lastThread }

  func claim() -> Bool { ownership.claim() }
  func prove() -> Ownership.Proof { ownership.prove() }
  func letGo(of handle: ManagedObjectContext) -> Bool { ownership.letGo(of: handle) }
  func handleForCatchUp() -> ManagedObjectContext? { ownership.handleForCatchUp() }

  func handle(or make: () -> ManagedObjectContext) -> ManagedObjectContext? {
    ownership.handle(or: make)
  }

  /// Looks at the unsaved objects, of which one is held after so many tries, or none.
  func look(_ tries: Int?, isFirst: Bool = false) -> Ownership.Fate {
    ownership.endUnlessHeld(
      isFirst: isFirst, hasUnsaved: { true }, triesUntilHeld: { tries })
  }

  func onNewThread<Value: Sendable>(
    _ body: @escaping @Sendable (HeldOwnership) -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body(self)) }
    }
  }
}
