import CauldronImport
import CauldronModel
import Foundation

/// Something that records are read from.
enum ImportInput: Sendable {
  case file(URL)
  case data(Data)

  /// Calls `body` with the records, in the order in which they stand there, some at a time; meanwhile the
  /// next ones are read.
  func read(
    by plan: ImportPlan, root: [String],
    _ body: @escaping @Sendable (_ chunk: ImportChunk, _ place: ImportPlace) async throws -> Void
  ) async throws {
    // What is saved every few records is imported no more at once.
    let few = plan.options.commitEvery.flatMap { $0 < Self.chunkSize ? max(1, $0) : nil }
    let size = few ?? Self.chunkSize
    var reader = RecordReader(plan, chunkSize: few ?? .max)
    var parser = JSONParser(root: root, form: plan.options.records.form)
    var source = try ImportPieces(self)
    var isMore = true
    var (chunk, place) = (ImportChunk(), ImportPlace(records: 0, bytes: 0, total: source.total))
    while isMore || reader.waiting > 0 {
      try Task.checkCancellation()
      let (current, there) = (chunk, place)
      async let done: Void = body(current, there)
      do {
        while isMore, reader.waiting < size {
          isMore = try source.read(into: &parser, &reader)
        }
      } catch {
        try await done
        // What was read before stays what it is; the import ends here all the same.
        if plan.options.commitEvery != nil { try await drain(&reader, at: place, into: body) }
        throw error
      }
      try await done
      place = ImportPlace(records: reader.count, bytes: source.offset, total: source.total)
      chunk = reader.take()
    }
    try await body(chunk, place)
  }

  /// Hands over what has been read.
  private func drain(
    _ reader: inout RecordReader, at place: ImportPlace,
    into body: @Sendable (_ chunk: ImportChunk, _ place: ImportPlace) async throws -> Void
  ) async throws {
    while reader.waiting > 0 { try await body(reader.take(), place) }
  }

  /// The keys of all records.
  func keys(_ plan: ImportPlan, root: [String]) throws -> ImportKeys {
    var keys = ImportKeys()
    var reader = RecordReader(plan)
    var parser = JSONParser(root: root, form: plan.options.records.form)
    var source = try ImportPieces(self)
    while try source.read(into: &parser, &reader) {
      try Task.checkCancellation()
      keys.note(reader.take(), plan)
    }
    keys.note(reader.take(), plan)
    return keys
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

/// How far a reading has come.
struct ImportPlace: Sendable {
  let records: Int
  let bytes: Int
  let total: Int?
}
