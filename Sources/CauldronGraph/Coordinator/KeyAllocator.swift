import CauldronModel
import Dispatch

/// Hands out primary keys from blocks that were reserved durably in the store.
///
/// A reserved key is never given to anybody else, also not to another process; what is left of a
/// block at the end is given back, and gaps are normal. Whoever creates an object never waits: while
/// somebody else writes to the store, the keys are provisional.
///
/// `@unchecked Sendable` because the tables are behind a lock and the rest is immutable.
final class KeyAllocator: @unchecked Sendable {
  let store: any PersistentStore
  let provisional: ProvisionalKeys
  let tables = Locked<[Int32: KeyTable]>([:])
  /// Held while a block is reserved at once, so that two who need one do not reserve two.
  // Not empty: ThreadSanitizer takes an empty value for the object's first word.
  private let reservation = Locked(false)
  /// Refills run here, away from whoever creates objects.
  private let refills = DispatchQueue(label: "cauldron.keys", qos: .userInitiated)
  private let isClosed = Locked(false)

  init(store: any PersistentStore, provisional: ProvisionalKeys) {
    self.store = store
    self.provisional = provisional
  }

  /// Takes up to `count` keys, at least one; a single provisional one where no key can be reserved
  /// at once.
  func take(_ count: Int64, _ root: EntityLayout) -> Range<Int64> {
    while true {
      let (keys, refill) = tables.withLock { $0[root.number, default: KeyTable()].take(count) }
      if refill { refills.async { _ = self.reserveAtOnce(root) } }
      if let keys { return keys }
      let mayTry = tables.withLock { $0[root.number]?.mayTry ?? true }
      guard mayTry, reserveAtOnce(root, ifEmpty: true) else {
        let key = provisional.next()
        return key..<key + 1
      }
    }
  }

  /// Gives keys back that were not used, for others in this process.
  func giveBack(_ keys: Range<Int64>, _ root: EntityLayout) {
    guard !keys.isEmpty, keys.lowerBound > 0 else { return }
    tables.withLock { $0[root.number, default: KeyTable()].free.insert(keys, at: 0) }
  }

  /// Returns what is left to the store, from the top down to the first key that was used.
  func close(_ model: ManagedObjectModel) {
    isClosed.withLock { $0 = true }
    refills.sync {}
    let left = tables.withLock { tables in
      let left = tables.mapValues(\.joinedFree)
      for number in left.keys { tables[number]?.free = [] }
      return left
    }
    for (number, ranges) in left {
      guard let root = model.layout(number: number), let top = ranges.last else { continue }
      try? store.returnKeys(top, for: root)
    }
  }

  /// Reserves the next block if that needs no waiting; else it is tried again in the background.
  /// - Parameter ifEmpty: Whether another's block will do, that came meanwhile.
  /// - Returns: Whether there are keys now.
  private func reserveAtOnce(
    _ root: EntityLayout, ifEmpty: Bool = false, retryAfter delay: Int = 1
  ) -> Bool {
    reservation.withLock { _ in
      if ifEmpty, tables.withLock({ $0[root.number]?.free.isEmpty == false }) { return true }
      let size = tables.withLock { $0[root.number, default: KeyTable()].nextSize }
      do {
        if let keys = try store.reserveKeysAtOnce(Int(size), for: root) {
          tables.withLock { $0[root.number, default: KeyTable()].add(keys) }
          return true
        }
        tables.withLock { $0[root.number, default: KeyTable()].isLocked = true }
        retry(root, after: delay)
      } catch {
        // The save that needs a key throws the reason.
        tables.withLock { $0[root.number, default: KeyTable()].fail() }
      }
      return false
    }
  }

  /// Tries again when others have had time to finish what they write.
  private func retry(_ root: EntityLayout, after delay: Int) {
    refills.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      guard let self, !isClosed.withLock({ $0 }),
        tables.withLock({ $0[root.number]?.isLocked ?? false })
      else { return }
      _ = reserveAtOnce(root, retryAfter: min(2 * delay, 50))
    }
  }
}
