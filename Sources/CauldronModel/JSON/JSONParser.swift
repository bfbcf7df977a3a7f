/// Reads JSON piece by piece, and hands out the records in it one after the other.
///
/// A record is an element of the array that the root path leads to, or the object there. Only one is
/// kept at a time, so memory does not grow with the file. Pieces may end anywhere, also in the middle of a
/// letter. What is read is exactly RFC 8259: no comments, no commas too many.
/// ```swift
/// var parser = JSONParser(root: ["countries"])
/// try parser.read(bytes) { record in … }
/// try parser.finish()
/// ```
package struct JSONParser {
  /// What may come next.
  enum Expectation { case value, valueOrEnd, separator, name, nameOrEnd, colon, end }

  /// What was begun and may go on in the next piece.
  enum Token {
    case none
    case string
    case escape
    /// So many digits are missing, of the unit so far.
    case unicode(Int, UInt16)
    /// The second half of a pair has to follow.
    case halfPair(UInt16)
    case number(JSONNumberState)
    /// What is left of `null`, `false` or `true`.
    case literal(JSONTape.Kind, ArraySlice<UInt8>)
  }

  /// The deepest nesting that is read.
  package static let mostLevels = 512

  /// The names that lead to the records.
  let root: [[UInt8]]
  var expectation = Expectation.value
  var token = Token.none
  var isName = false
  var places: [JSONPlace] = []
  var tape = JSONTape()
  /// Where the bytes of the running text begin in the tape.
  var textStart = 0
  /// Whether the running text has more than ASCII.
  var isWide = false
  /// The first half of a pair of units.
  var highUnit: UInt16?
  /// How many bytes were read before this piece.
  var offset = 0
  /// How many bytes of a byte order mark were read.
  var markCount = 0
  var line = 1
  var lineStart = 0

  /// - Parameter root: The names that lead to the records, from the outermost object on; none where the
  ///   whole text is an array of records, or one record.
  package init(root: [String] = []) { self.root = root.map { Array($0.utf8) } }

  /// Reads a piece.
  /// - Parameter body: Gets each record that ends in the piece. What it throws ends the reading.
  /// - Throws: `import.…` with line and column, after the records before were handed out.
  package mutating func read(
    _ piece: UnsafeBufferPointer<UInt8>, _ body: (JSONTape) throws -> Void
  ) throws {
    var index = 0
    while index < piece.count {
      switch token {
      case .none: try begin(piece, &index, body)
      case .string: try continueText(piece, &index, body)
      default: try continueToken(piece, &index, body)
      }
    }
    offset += piece.count
  }

  /// The text has ended.
  /// - Throws: `import.syntax` where it ends too early, `import.root` where there was nothing under the
  ///   root path.
  package mutating func finish(_ body: (JSONTape) throws -> Void) throws {
    // Only a number alone can end with the text.
    if case .number(let state) = token {
      guard state.isWhole else { throw early() }
      try endScalar(.number, 0, body)
    }
    guard case .none = token, case .end = expectation else { throw early() }
  }

  /// Hands out a record where the value that has ended is one.
  mutating func endValue(_ body: (JSONTape) throws -> Void) throws {
    let isRecord: Bool
    if let place = places.last {
      isRecord = place.use == .records || place.isTarget(root.count)
      expectation = .separator
    } else {
      isRecord = root.isEmpty
      expectation = .end
    }
    guard isRecord, !tape.isEmpty else { return }
    tape.isAlone = places.last?.use != .records
    try body(tape)
    if isKnownUniquelyReferenced(&tape) { tape.clear() } else { tape = JSONTape() }
  }
}

extension JSONPlace {
  /// Whether the value under the name that was read last is the record, or the array of them.
  func isTarget(_ depth: Int) -> Bool { isAtFollowed && use == .path(depth - 1) }
}
