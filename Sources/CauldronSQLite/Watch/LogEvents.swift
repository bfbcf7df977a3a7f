import Dispatch
import Foundation

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
