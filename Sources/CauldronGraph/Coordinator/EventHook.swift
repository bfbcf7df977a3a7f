import CauldronModel

/// Tells somebody that an event of a context has ended, on the thread of its owner; costs next to nothing
/// while nobody wants to know.
final class EventHook: Sendable {
  private let isSet = SharedWord()
  private let body = Locked<(@Sendable (LedgerNode) -> Void)?>(nil)

  /// Set once.
  func set(_ body: @escaping @Sendable (LedgerNode) -> Void) {
    self.body.withLock { $0 = body }
    isSet.store(1)
  }

  @inline(__always)
  func call(_ node: LedgerNode) {
    if isSet.value != 0 { callNow(node) }
  }

  private func callNow(_ node: LedgerNode) { body.withLock { $0 }?(node) }
}
