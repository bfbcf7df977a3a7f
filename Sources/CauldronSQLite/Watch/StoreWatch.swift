import CauldronModel
import CauldronStore
import Dispatch
import Foundation

/// Looks whether others have committed whenever their log was written, or each second.
///
/// A log is written before its commit can be seen, which a slow disk may draw apart; so there are some
/// more looks after one, at growing intervals.
///
/// `@unchecked Sendable` because what changes is used on the queue alone, but for the flag, which has a
/// lock.
final class StoreWatch: ForeignWatch, @unchecked Sendable {
  /// Many small writes, which make one commit, are waited for.
  private static let pause = 0.01
  /// The least time between two looks, and those after a look that some write has caused, in seconds.
  private static let interval = 0.05
  private static let laterLooks = [0.05, 0.05, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2]
  private static let pollingInterval = 1.0

  let pollingReason: String?
  private let commits: ForeignCommits
  private let changed: @Sendable () -> Void
  private let queue = DispatchQueue(label: "cauldron.watch")
  private let events: LogEvents?
  private let isStopped = Locked(false)
  private var count: Int
  private var lastLook = DispatchTime.now()
  /// How many looks there were since the last write; there may have been one before the watch.
  private var step = 0
  /// Which look is planned; one that was planned before is none any more.
  private var plan = 0

  /// - Parameters:
  ///   - polls: Whether it looks each second in any case.
  ///   - changed: Called on a queue of the watch.
  /// - Throws: What opening a connection throws.
  init(
    _ path: String, _ commits: ForeignCommits, polls: Bool,
    _ changed: @escaping @Sendable () -> Void
  ) throws {
    try commits.begin(path)
    self.commits = commits
    self.changed = changed
    count = commits.look()
    var made: LogEvents?
    var reason: String? = "the options ask for it"
    do {
      if !polls {
        made = try LogEvents(of: path, on: queue)
        reason = nil
      }
    } catch {
      reason = "inotify is not to be had: \((error as? Unwatchable)?.text ?? "\(error)")"
    }
    events = made
    pollingReason = reason
    queue.async { [weak self] in
      guard let self else { return }
      events?.setHandler { [weak self] in self?.wasWritten() }
      look()
    }
  }

  deinit { stop() }

  func stop() {
    let wasStopped = isStopped.withLock { flag in
      defer { flag = true }
      return flag
    }
    guard !wasStopped else { return }
    // Not here, where a commit of the store's own might have to be waited for.
    queue.async { [commits, events] in
      commits.end()
      events?.cancel()
    }
  }

  private func wasWritten() {
    step = 0
    let soonest = lastLook + Self.interval
    planLook(at: max(.now() + Self.pause, soonest))
  }

  private func planLook(at time: DispatchTime) {
    plan += 1
    let number = plan
    queue.asyncAfter(deadline: time) { [weak self] in
      guard let self, plan == number else { return }
      look()
    }
  }

  private func look() {
    guard !isStopped.withLock({ $0 }) else { return }
    // First, so that what is written after the look is told of.
    if let events, events.arm() { step = 0 }
    lastLook = .now()
    let found = commits.look()
    if found != count {
      count = found
      changed()
    }
    if events == nil {
      planLook(at: .now() + Self.pollingInterval)
    } else if step < Self.laterLooks.count {
      planLook(at: .now() + Self.laterLooks[step])
      step += 1
    }
  }
}
