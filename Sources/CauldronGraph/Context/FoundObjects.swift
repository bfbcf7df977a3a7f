import CauldronModel
import CauldronQuery
import CauldronStore
import Dispatch

/// Which objects a context has found, or created, by their unique values.
///
/// It is a guess, which is checked before it is used: an object may have got other values since. What
/// another process has written is seen by reading alone, and so it holds for a moment after one only:
/// what comes in within that could as well have come behind a read.
struct FoundObjects {
  /// So many are remembered; who asks for more has few of them twice.
  private static let most = 20_000
  /// How long it holds after a look at the store, in nanoseconds.
  private static let moment: UInt64 = 10_000_000

  private var ids: [UniqueValues: ManagedObjectID] = [:]
  private var lastLook: UInt64 = 0

  /// The object with some values, if the store was looked at a moment ago.
  subscript(values: UniqueValues) -> ManagedObjectID? {
    guard let id = ids[values] else { return nil }
    return DispatchTime.now().uptimeNanoseconds &- lastLook < Self.moment ? id : nil
  }

  /// The store is looked at.
  mutating func noteLook() { lastLook = DispatchTime.now().uptimeNanoseconds }

  mutating func note(_ values: UniqueValues, _ id: ManagedObjectID) {
    if ids.count >= Self.most { ids.removeAll() }
    ids[values] = id
  }
}
