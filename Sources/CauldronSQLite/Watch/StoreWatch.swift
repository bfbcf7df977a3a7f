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

/// Tells that something was written into a write-ahead log, or that one was made or removed.
///
/// It tells once and then rests until it is armed again, so that a busy file does not wake the
/// process all the time.
///
/// `@unchecked Sendable` because it is used on its queue alone.
final class LogEvents: @unchecked Sendable {
  private let descriptor: Int32
  private let log: String
  private let source: any DispatchSourceRead
  private var isResting = false

  /// Watches the log of a file; rests until it is armed, after a handler was set.
  /// - Throws: `Unwatchable` where the system does not tell.
  init(of path: String, on queue: DispatchQueue) throws {
    // SQLite follows links, too (https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming).
    let real = realpath(path, nil)
    defer { free(real) }
    let file = real.map { String(cString: $0) } ?? path
    log = file + "-wal"
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { throw Unwatchable(number: errno) }
    let directory = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
    let kinds = UInt32(IN_CREATE | IN_DELETE | IN_MOVE | IN_ONLYDIR)
    guard inotify_add_watch(descriptor, directory, kinds) >= 0 else {
      let number = errno
      close(descriptor)
      throw Unwatchable(number: number)
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setCancelHandler { [descriptor] in close(descriptor) }
    isResting = true
  }

  /// Sets what is called on the queue.
  func setHandler(_ handler: @escaping @Sendable () -> Void) {
    source.setEventHandler { [weak self] in
      self?.rest()
      handler()
    }
  }

  /// Looks out for the log that is there now, and tells of what comes.
  /// - Returns: Whether something came before, which may not have been told yet.
  @discardableResult
  func arm() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var hasCome = false
    while read(descriptor, &bytes, bytes.count) > 0 { hasCome = true }
    // The same watch again where it is the same log; a missing one is told of when it is made.
    _ = inotify_add_watch(descriptor, log, UInt32(IN_MODIFY))
    if isResting { source.resume() }
    isResting = false
    return hasCome
  }

  /// Ends it; it must not be armed any more.
  func cancel() {
    source.cancel()
    // A source that rests would never be freed.
    if isResting { source.resume() }
    isResting = false
  }

  private func rest() {
    guard !isResting else { return }
    isResting = true
    source.suspend()
  }
}

/// The system does not tell what is written into a file.
struct Unwatchable: Error {
  /// The error number of the call.
  let number: Int32

  var text: String { String(cString: strerror(number)) }
}
