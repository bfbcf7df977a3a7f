import CauldronModel
package import Foundation

extension JSONParser {
  /// How many bytes are read at a time.
  private static let pieceSize = 1 << 18

  /// Reads the records of a file, one after the other.
  ///
  /// The file is read and never mapped: one that shrinks meanwhile is an error, and no signal.
  /// - Parameters:
  ///   - root: The names that lead to the records.
  ///   - body: Gets each record.
  /// - Throws: `import.…`; what `body` throws ends the reading.
  /// - Complexity: Memory for one record and 256 KiB.
  package static func read(
    contentsOf url: URL, root: [String] = [], _ body: (JSONTape) throws -> Void
  ) throws {
    let file = Foundation.open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failed("opened", url) }
    defer { _ = Foundation.close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failed("read", url) }
    if status.st_mode & S_IFMT == S_IFDIR {
      errno = EISDIR
      throw failed("read", url)
    }
    var parser = JSONParser(root: root)
    let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: pieceSize)
    defer { piece.deallocate() }
    while let count = try fill(piece, file, url) {
      try parser.read(UnsafeBufferPointer(rebasing: piece[..<count]), body)
    }
    // A pipe has no size.
    if status.st_mode & S_IFMT == S_IFREG, parser.offset < status.st_size {
      throw CauldronError(
        .importIO,
        "\(url.lastPathComponent) has become shorter while it was read: \(parser.offset) of "
          + "\(status.st_size) bytes are left.",
        hint: "Import a copy that nobody writes to.")
    }
    try parser.finish(body)
  }

  /// Reads the records of a stream, such as the body of a response.
  /// - Throws: As the form with a file; what the stream throws.
  package static func read<Pieces: AsyncSequence>(
    _ pieces: Pieces, root: [String] = [], _ body: (JSONTape) throws -> Void
  ) async throws where Pieces.Element == Data {
    var parser = JSONParser(root: root)
    for try await piece in pieces {
      try piece.withUnsafeBytes { try parser.read($0.assumingMemoryBound(to: UInt8.self), body) }
    }
    try parser.finish(body)
  }

  /// - Returns: How many bytes were read; nil at the end.
  private static func fill(
    _ piece: UnsafeMutableBufferPointer<UInt8>, _ file: Int32, _ url: URL
  ) throws -> Int? {
    while true {
      let count = Foundation.read(file, piece.baseAddress, piece.count)
      if count > 0 { return count }
      if count == 0 { return nil }
      if errno != EINTR { throw failed("read", url) }
    }
  }

  private static func failed(_ what: String, _ url: URL) -> CauldronError {
    let reason = String(cString: strerror(errno))
    var error = CauldronError(
      .importIO, "\(url.lastPathComponent) cannot be \(what): \(reason).",
      hint: "Check the path and the rights to it.")
    error.path = url.path(percentEncoded: false)
    return error
  }
}
