import CauldronModel
import Foundation

/// The process's standard error.
package enum StandardError {
  /// Keeps lines of several threads apart that the system does not take at once.
  private static let turn = Locked(Reader.present)

  /// Whether something takes what is written.
  private enum Reader { case present, absent }

  /// Writes a text at once, as far as whatever reads it takes it.
  @Sendable package static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      turn.withLock { write(UnsafeRawBufferPointer(bytes), to: &$0) }
    }
  }

  /// Writes, and waits a second at most where the pipe is full. After a wait in vain lines are left out,
  /// without another wait, until there is room again: a log must not hold up saves.
  private static func write(_ bytes: UnsafeRawBufferPointer, to reader: inout Reader) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(STDERR_FILENO, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        reader = .present
      } else if errno == EAGAIN {
        guard reader == .present, isWritable(within: 1_000) else {
          reader = .absent
          return
        }
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Waits where a program has made standard error one that does not wait.
  private static func isWritable(within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }
}
