package import Foundation

extension JSONParser {
  /// Reads the records of a file, one after the other.
  /// - Parameters:
  ///   - root: The names that lead to the records.
  ///   - body: Gets each record.
  /// - Throws: `import.…`; what `body` throws ends the reading.
  /// - Complexity: Memory for one record and 256 KiB.
  package static func read(
    contentsOf url: URL, root: [String] = [], _ body: (JSONTape) throws -> Void
  ) throws {
    let file = try JSONFile(url)
    var parser = JSONParser(root: root)
    while try file.read(into: &parser, body) {}
  }

  /// Reads the records of a stream, such as the body of a response.
  /// - Throws: As the form with a file; what the stream throws.
  package static func read<Pieces: AsyncSequence>(
    _ pieces: Pieces, root: [String] = [], _ body: (JSONTape) throws -> Void
  ) async throws where Pieces.Element == Data {
    var parser = JSONParser(root: root)
    for try await piece in pieces { try parser.read(piece, body) }
    try parser.finish(body)
  }

  /// Reads a piece.
  package mutating func read(_ piece: Data, _ body: (JSONTape) throws -> Void) throws {
    try piece.withUnsafeBytes { try read($0.assumingMemoryBound(to: UInt8.self), body) }
  }
}
