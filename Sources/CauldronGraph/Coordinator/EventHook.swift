import CauldronModel

/// Tells somebody that an event of a context has ended, on the thread of its owner; costs next to nothing
/// while nobody wants to know.
final class EventHook: Sendable {
  private let isSet = SharedWord()
  private let body = Locked<Body?>(nil)

  /// In a structure: a bare closure that a generic type holds is wrapped anew by each look at it, and what
  /// is wrapped a million times takes a million calls, and more stack than there is.
  private struct Body: Sendable {
    let call: @Sendable (LedgerNode) -> Void
  }

  /// Set once.
  func set(_ body: @escaping @Sendable (LedgerNode) -> Void) {
    self.body.withLock { $0 = Body(call: body) }
    isSet.store(1)
  }

  @inline(__always)
  func call(_ node: LedgerNode) {
    if isSet.value != 0 { callNow(node) }
  }

  private func callNow(_ node: LedgerNode) { body.withLock { $0 }?.call(node) }
}
