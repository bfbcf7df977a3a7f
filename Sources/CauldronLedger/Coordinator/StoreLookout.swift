import CauldronModel
import CauldronStore
import Dispatch

/// Has commits of other processes be noticed at once for as long as it is kept.
///
/// The watch is begun and ended in the background, in that order, because the first one opens a
/// connection.
package final class StoreLookout: Sendable {
  private static let queue = DispatchQueue(label: "cauldron.lookout")
  private weak let coordinator: PersistentStoreCoordinator?

  package init(_ coordinator: PersistentStoreCoordinator) {
    self.coordinator = coordinator
    Self.queue.async { [weak coordinator] in coordinator?.watchOthers() }
  }

  deinit { Self.queue.async { [weak coordinator] in coordinator?.stopWatchingOthers() } }
}

/// A watch on the store for as long as somebody wants one.
struct Lookout {
  private var users = 0
  private var watch: (any ForeignWatch)?
  /// Whether it was said that the store cannot be watched, or only be looked at each second.
  private var hasComplained = false

  /// Counts one more who wants it; the first one begins it.
  /// - Returns: What is to be said, once, of a store that cannot be watched well.
  mutating func add(_ make: () throws -> (any ForeignWatch)?) -> String? {
    users += 1
    guard users == 1 else { return nil }
    var complaint: String?
    do {
      watch = try make()
      complaint = watch?.pollingReason.map { "are looked for once a second: \($0)" }
    } catch {
      complaint = "are noticed by fetches alone: \(error)"
    }
    guard complaint != nil, !hasComplained else { return nil }
    hasComplained = true
    return complaint
  }

  /// Whether the store is watched.
  var isWatching: Bool { watch != nil }

  /// Counts one less; the last one ends it.
  mutating func remove() {
    users = max(0, users - 1)
    if users == 0 { end() }
  }

  /// Ends it, whoever still wants it.
  mutating func end() {
    watch?.stop()
    watch = nil
  }
}
