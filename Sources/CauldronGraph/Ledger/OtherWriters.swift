/// How often it was found that somebody else, mostly another process, has written to the store; in a
/// form that is read without a lock.
final class OtherWriters: Sendable {
  private let number = SharedWord()

  @inline(__always)
  var count: UInt32 { number.value }

  /// Whether the process is not alone with the store.
  @inline(__always)
  var haveWritten: Bool { count > 0 }

  /// Called with the ledger's lock held.
  func add() { number.store(count &+ 1 == 0 ? 1 : count &+ 1) }
}
