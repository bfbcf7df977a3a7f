import Dispatch

/// Has commits of other processes be noticed at once for as long as it is kept.
///
/// The watch is begun and ended in the background, in that order, because the first one opens a
/// connection.
final class StoreLookout: Sendable {
  private static let queue = DispatchQueue(label: "cauldron.lookout")
  private weak let coordinator: PersistentStoreCoordinator?

  init(_ coordinator: PersistentStoreCoordinator) {
    self.coordinator = coordinator
    Self.queue.async { [weak coordinator] in coordinator?.watchOthers() }
  }

  deinit { Self.queue.async { [weak coordinator] in coordinator?.stopWatchingOthers() } }
}
