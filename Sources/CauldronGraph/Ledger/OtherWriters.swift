import CCauldron

/// How often it was found that somebody else, mostly another process, has written to the store; in a
/// form that is read without a lock.
///
/// `@unchecked Sendable` because the count is read and written in one piece, and written with the
/// ledger's lock held.
final class OtherWriters: @unchecked Sendable {
  private let number: UnsafeMutablePointer<UInt32>

  init() {
    number = .allocate(capacity: 1)
    number.initialize(to: 0)
  }

  deinit { number.deallocate() }

  @inline(__always)
  var count: UInt32 { cauldron_load(number) }

  /// Whether the process is not alone with the store.
  @inline(__always)
  var haveWritten: Bool { count > 0 }

  /// Called with the ledger's lock held.
  func add() { cauldron_store(number, count &+ 1 == 0 ? 1 : count &+ 1) }
}
