/// Whether layers wait anywhere in a tree of contexts, in a form that is read without the ledger's
/// lock: mostly none do, and then a fault needs to know no more.
///
/// The answer "none" holds for the instant at which it is given. The other one is given a little
/// too often: from the moment a layer comes until somebody finds, with the lock held, that all
/// have left. So nobody who looks while layers are moved, with the lock held, finds none.
///
/// `@unchecked Sendable` because the count is only touched with the ledger's lock held, and the
/// answer is read and written in one piece.
final class PendingNodes: @unchecked Sendable {
  /// How many contexts have layers.
  private var count = 0
  /// 0 if none has.
  private let answer = SharedWord()

  /// Whether a context may have layers; may be called without the lock.
  @inline(__always)
  var mayBeAny: Bool { answer.value != 0 }

  /// Counts a context that has got its first layer, or has lost its last one. Called with the
  /// ledger's lock held.
  func count(hasLayers: Bool) {
    count += hasLayers ? 1 : -1
    if hasLayers { answer.store(1) }
  }

  /// Has the answer be "none" again if it is. Called with the ledger's lock held, and with no layer
  /// on its way from one context to another.
  func settle() {
    if count == 0, mayBeAny { answer.store(0) }
  }
}
