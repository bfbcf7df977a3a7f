import CauldronImport
import CauldronModel
import Foundation

/// Something that records are read from.
enum ImportInput: Sendable {
  case file(URL)
  case data(Data)

  /// Calls `body` with the records, in the order in which they stand there, some at a time.
  func read(
    _ plan: ImportPlan, root: [String],
    _ body: (_ chunk: ImportChunk, _ bytes: Int, _ total: Int?) async throws -> Void
  ) async throws {
    var reader = RecordReader(plan)
    var parser = JSONParser(root: root)
    var source = try ImportPieces(self)
    var isMore = true
    while isMore {
      try Task.checkCancellation()
      isMore = try source.read(into: &parser, &reader)
      if reader.waiting >= Self.chunkSize || !isMore {
        try await body(reader.take(), source.offset, source.total)
      }
    }
  }

  /// How many records wait at least before they are imported together.
  private static let chunkSize = 500
}

/// Reads pieces of a file, or of data.
struct ImportPieces {
  private static let pieceSize = 1 << 16

  private let file: JSONFile?
  private let data: Data
  private(set) var offset = 0

  init(_ input: ImportInput) throws {
    switch input {
    case .file(let url):
      file = try JSONFile(url, pieceSize: Self.pieceSize)
      data = Data()
    case .data(let data):
      file = nil
      self.data = data
    }
  }

  var total: Int? { file.map(\.size) ?? data.count }

  /// - Returns: Whether there may be more.
  mutating func read(into parser: inout JSONParser, _ reader: inout RecordReader) throws -> Bool {
    if let file {
      // What is read shows first whether the text is an array.
      let isMore = try file.read(into: &parser) { reader.read($0.root) }
      offset = file.offset
      return isMore
    }
    guard offset < data.count else {
      try parser.finish { reader.read($0.root) }
      return false
    }
    let start = data.startIndex + offset
    let piece = data[start..<min(start + Self.pieceSize, data.endIndex)]
    try parser.read(piece) { reader.read($0.root) }
    offset += piece.count
    return true
  }
}
