package import Foundation

/// A file of JSON that is read piece by piece, and never mapped: one that shrinks meanwhile is an error, and
/// no signal.
package final class JSONFile {
  private let url: URL
  private let descriptor: Int32
  private let piece: UnsafeMutableBufferPointer<UInt8>
  /// How many bytes the file has; nil for a pipe.
  package let size: Int?
  /// How many bytes were read.
  package private(set) var offset = 0

  /// Opens a file.
  /// - Parameter pieceSize: How many bytes are read at a time.
  /// - Throws: `import.io`.
  package init(_ url: URL, pieceSize: Int = 1 << 18) throws {
    self.url = url
    descriptor = Foundation.open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failed("opened", at: url) }
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    size = isKnown && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    piece = .allocate(capacity: pieceSize)
    if !isKnown { throw Self.failed("read", at: url) }
    if status.st_mode & S_IFMT == S_IFDIR {
      errno = EISDIR
      throw Self.failed("read", at: url)
    }
  }

  deinit {
    _ = Foundation.close(descriptor)
    piece.deallocate()
  }

  /// Reads the next piece.
  /// - Returns: Whether there was one.
  /// - Throws: `import.io`, and what the parser throws.
  package func read(
    into parser: inout JSONParser, _ body: (JSONTape) throws -> Void
  ) throws -> Bool {
    guard let count = try fill() else {
      if let size, offset < size { throw shrunk(size) }
      try parser.finish(body)
      return false
    }
    try parser.read(UnsafeBufferPointer(rebasing: piece[..<count]), body)
    offset += count
    return true
  }

  /// - Returns: How many bytes were read; nil at the end.
  private func fill() throws -> Int? {
    while true {
      let count = Foundation.read(descriptor, piece.baseAddress, piece.count)
      if count > 0 { return count }
      if count == 0 { return nil }
      if errno != EINTR { throw Self.failed("read", at: url) }
    }
  }

  private func shrunk(_ size: Int) -> CauldronError {
    CauldronError(
      .importIO,
      "\(url.lastPathComponent) has become shorter while it was read: \(offset) of \(size) bytes are"
        + " left.", hint: "Import a copy that nobody writes to.")
  }

  private static func failed(_ what: String, at url: URL) -> CauldronError {
    let reason = String(cString: strerror(errno))
    var error = CauldronError(
      .importIO, "\(url.lastPathComponent) cannot be \(what): \(reason).",
      hint: "Check the path and the rights to it.")
    error.path = url.path(percentEncoded: false)
    return error
  }
}
