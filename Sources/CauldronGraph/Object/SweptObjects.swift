import CCauldron
package import CauldronModel
import Dispatch

/// Objects that a sweep has taken out of the map and nobody can reach any more, on their way to be
/// released on another thread: that takes longer than all else that a sweep does.
///
/// They touch neither their context nor anything of the program's when they go: the sweep pays what
/// they owe to the core, and chooses objects without extras whose classes have no `deinit`. So the
/// context may go away before them.
package struct SweptObjects {
  /// With fewer objects registered, a sweep is short as it is, and frees at once: memory that the
  /// thread itself has freed is the quickest to have again. Tests set another number.
  package static let worthwhile = Locked(32_768)
  /// How many objects are handed over together, so that two threads work on a long sweep.
  private static let portion = 8_192
  /// While as many objects wait, sweeps release theirs themselves, so that no more pile up.
  private static let most = 1 << 17
  /// How many objects wait.
  private static let waiting = Locked(0)

  private let memory: Memory?
  private let entries: UnsafeMutablePointer<Unmanaged<ManagedObject>>?
  private let capacity: Int
  private(set) var count = 0
  private var handedOver = 0

  /// Makes room for the objects that a sweep will look at; for none if it had better release them
  /// itself.
  init(capacity: Int) {
    let isWorthwhile =
      Self.isWorthwhile(capacity) && Self.waiting.withLock { $0 < Self.most }
    self.capacity = isWorthwhile ? capacity : 0
    memory = isWorthwhile ? Memory(capacity) : nil
    entries = memory?.entries
  }

  /// Whether so many objects had better be freed on another thread.
  static func isWorthwhile(_ count: Int) -> Bool { count >= worthwhile.withLock { $0 } }

  /// Whether no more objects can be added.
  var isFull: Bool { count == capacity }

  /// Takes over an object and its retain; there must be room.
  @inline(__always)
  mutating func add(_ object: Unmanaged<ManagedObject>) {
    entries.unsafelyUnwrapped[count] = object
    count += 1
    if count - handedOver == Self.portion { handOver() }
  }

  /// Has the objects released that were added since the last time.
  @inline(never)
  mutating func handOver() {
    let portion = handedOver..<count
    guard !portion.isEmpty, let memory else { return }
    handedOver = count
    Self.waiting.withLock { $0 += portion.count }
    reclaimer.async {
      memory.release(portion)
      Self.waiting.withLock { $0 -= portion.count }
    }
  }

  /// Where the objects are noted, until the last of them is released.
  ///
  /// `@unchecked Sendable` because the sweep writes an entry before it hands it over, and does not
  /// look at it afterwards.
  private final class Memory: @unchecked Sendable {
    let entries: UnsafeMutablePointer<Unmanaged<ManagedObject>>

    init(_ capacity: Int) { entries = .allocate(capacity: capacity) }

    deinit { entries.deallocate() }

    func release(_ portion: Range<Int>) {
      var debts = SweptDebts()
      for index in portion {
        if index + 8 < portion.upperBound { cauldron_prefetch(entries[index + 8].toOpaque()) }
        debts.takeOver(entries[index].takeRetainedValue())
      }
      debts.pay()
    }
  }
}
