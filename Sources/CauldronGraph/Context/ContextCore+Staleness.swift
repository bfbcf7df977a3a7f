import CauldronModel
import Dispatch

// How old a cached row is nobody knows: it costs every reader to keep that. A context that wants to know
// remembers which rows it has had read anew, and when.
extension ContextCore {
  /// Has the row of a fault read anew where the cached one may be older than the context wants it to be.
  func distrustIfStale(_ object: ManagedObject) {
    if habits.value & 2 == 0 { return }
    let interval = settings.withLock { $0.stalenessInterval }
    let row = Identity.Walked(key: object.key, root: object.layout.rootNumber)
    if identity.readings.isFresh(row, interval) { return }
    coordinator.cache.outdate(object.key, root: object.layout.rootNumber)
    identity.readings.note(row)
  }
}

/// When a context has had rows read anew, as many as are of use.
struct Readings {
  private var times: [Identity.Walked: UInt64] = [:]
  private static let most = 16_384

  /// Whether a row was read anew within some seconds.
  func isFresh(_ row: Identity.Walked, _ interval: Double) -> Bool {
    guard interval > 0, let time = times[row] else { return false }
    let age = Double(DispatchTime.now().uptimeNanoseconds &- time) / 1e9
    return age < interval
  }

  /// Notes that a row is read anew now.
  mutating func note(_ row: Identity.Walked) {
    // Those that are forgotten are read once more.
    if times.count >= Self.most { times = [:] }
    times[row] = DispatchTime.now().uptimeNanoseconds
  }
}
