import CauldronModel
package import Dispatch
import Foundation

/// The dispatch queue that counts as "main" for a stack, and the question whether we are on it.
///
/// On Linux `Thread.isMainThread` is false on the main queue under an async `main` and under
/// `dispatchMain()`, so the queue is asked, by a queue-specific key.
///
/// A program whose main thread runs another loop than Dispatch's has it drain the queue: see
/// ``attach()``.
///
/// `@unchecked Sendable` because both properties are immutable, and dispatch is thread-safe.
public final class MainQueue: @unchecked Sendable {
  package static let standard = MainQueue(.main)

  package let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  package init(_ queue: DispatchQueue) {
    self.queue = queue
    queue.setSpecific(key: key, value: true)
  }

  /// Whether the calling code runs on the queue.
  package var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true
      || (queue === DispatchQueue.main && Thread.isMainThread)
  }
}

// What another main loop needs of libdispatch is no public interface of it, and Core Foundation's run
// loop uses the same two functions. Nothing else in the package knows of them.

/// The eventfd that becomes readable when the main queue has something to run.
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func dispatchMainQueueHandle() -> Int32

/// Runs what waits on the main queue; only on the main thread, and not from within itself.
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func dispatchMainQueueCallback(_ ignored: UnsafeMutableRawPointer?)

extension MainQueue {
  /// Has a loop of the program's own drain the main queue: GTK's, Qt's, a game's, or one around `poll`.
  ///
  /// ```swift
  /// let main = try MainQueue.attach()
  /// var place = pollfd(fd: main.fileDescriptor, events: Int16(POLLIN), revents: 0)
  /// while poll(&place, 1, -1) >= 0 || errno == EINTR { main.drain() }
  /// ```
  /// Without it nothing that is sent to the main queue or the main actor runs under such a loop: no
  /// completion of a save, no event of a main context. Under `dispatchMain()`, `RunLoop.main` and an
  /// async `main` it is not needed. A signal that is caught interrupts `poll` with `EINTR`, which is no
  /// reason to end the loop.
  /// - Returns: What the loop watches and calls; the queue is attached until it is detached or let go.
  /// - Throws: `mainQueue.cannotAttach` where the calling thread is not the main thread, or the queue
  ///   is attached already.
  public static func attach() throws -> Attachment {
    guard Thread.isMainThread else { throw refusal("this is not the main thread") }
    let isFree = isAttached.withLock { flag in
      defer { flag = true }
      return !flag
    }
    guard isFree else { throw refusal("it is attached already") }
    return Attachment()
  }

  private static func refusal(_ why: String) -> CauldronError {
    CauldronError(
      .mainQueueCannotAttach, "Cannot attach the main queue: \(why).",
      hint: "Attach it once, on the first thread, before the loop runs; main must not be async.")
  }

  fileprivate static let isAttached = Locked(false)
}

extension MainQueue {
  /// The main queue as something that another loop watches and drains.
  public final class Attachment: Sendable {
    /// Becomes readable when the queue has something to run; to be watched and neither read nor closed.
    public let fileDescriptor: Int32
    private let state = Locked(State())

    private struct State {
      var isAttached = true
      var isDraining = false
      /// Whether somebody called from within a drain.
      var wasCalled = false
    }

    fileprivate init() { fileDescriptor = dispatchMainQueueHandle() }

    deinit { detach() }

    /// Runs what waits on the main queue; to be called whenever the descriptor is readable.
    ///
    /// Called from within itself, as by a dialog's own loop in a block of the queue, it runs nothing:
    /// what waits runs after that block. Off the main thread, and after `detach()`, it does nothing.
    /// - Returns: Whether the queue was drained.
    @discardableResult
    public func drain() -> Bool {
      guard Thread.isMainThread else { return false }
      let isOuter = state.withLock { state -> Bool? in
        guard state.isAttached else { return nil }
        defer { state.isDraining = true }
        state.wasCalled = state.isDraining
        return !state.isDraining
      }
      guard let isOuter else { return false }
      // Draining does not clear the descriptor; afterwards it might tell of what came meanwhile.
      clear()
      guard isOuter else { return false }
      repeat { dispatchMainQueueCallback(nil) } while isCalledFor()
      return true
    }

    /// Ends the attachment; the loop must not watch the descriptor any more. Twice does no harm.
    public func detach() {
      let wasAttached = state.withLock { state in
        defer { state.isAttached = false }
        return state.isAttached
      }
      if wasAttached { MainQueue.isAttached.withLock { $0 = false } }
    }

    /// Whether a drain has to go on, because a call from within has cleared the descriptor.
    private func isCalledFor() -> Bool {
      state.withLock { state in
        defer { state.wasCalled = false }
        state.isDraining = state.wasCalled
        return state.wasCalled
      }
    }

    private func clear() {
      var count: UInt64 = 0
      while read(fileDescriptor, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
    }
  }
}
