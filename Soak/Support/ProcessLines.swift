import Foundation

/// The lines that a process writes, one after the other, as far as they are waited for.
struct ProcessLines {
  private let output: FileHandle
  /// What was read and not given out.
  private var received = Data()

  init(_ output: FileHandle) { self.output = output }

  /// The next line; nil at the end, or after too long a silence.
  /// - Parameter patience: How many seconds each silence may last.
  mutating func next(within patience: Double) -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received = Data(received[(end + 1)...])
        return line
      }
      var watched = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&watched, 1, Int32(patience * 1_000)) > 0 else { return nil }
      let data = output.availableData
      if data.isEmpty { return nil }
      received += data
    }
  }
}
