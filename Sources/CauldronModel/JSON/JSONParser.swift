package import Foundation

/// What is open around the next value.
struct JSONPlace {
  /// What becomes of the values in it.
  enum Use: Equatable {
    /// Its names lead to the records; the number says how many have been followed.
    case path(Int)
    /// Its elements are the records.
    case records
    /// It belongs to a record.
    case record
    /// It is read for its grammar alone.
    case skipped
  }

  let isObject: Bool
  let use: Use
  /// Its node in the tape; -1 where it has none.
  let node: Int
  /// How many elements or names have begun.
  var count = 0
  /// The names so far: of a record once they are many.
  var names: Set<[UInt8]>?
  /// Whether the name that leads on was met.
  var wasFollowed = false
  /// Whether the name that was read last is that one.
  var isAtFollowed = false

  init(isObject: Bool, use: Use, node: Int = -1) {
    self.isObject = isObject
    self.use = use
    self.node = node
  }

  /// Notes a name in place, so that nothing is copied.
  /// - Returns: Whether it is the first of its kind.
  mutating func isNew(_ name: [UInt8]) -> Bool {
    if names == nil { names = [] }
    return names?.insert(name).inserted ?? true
  }
}

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
  /// How records stand in a text.
  package enum Form: Sendable {
    /// As the elements of an array; an object is a record by itself.
    case list
    /// As what an object has under its names.
    case object
    /// As texts one after the other, each of which is a list or a record.
    case lines
  }

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
  let form: Form
  /// The name of the running record, in an object of records; nil for a name that is no text.
  var recordName: String?
  /// Whether white space has to follow, as after a number on a line of its own.
  var needsSpace = false
  var expectation = Expectation.value
  var token = Token.none
  var text = JSONOpenText()
  var places: [JSONPlace] = []
  var tape = JSONTape()
  var position = JSONPosition()

  /// - Parameters:
  ///   - root: The names that lead to the records; none where the whole text is the records.
  ///   - form: How the records stand there.
  package init(root: [String] = [], form: Form = .list) {
    self.root = root.map { Array($0.utf8) }
    self.form = form
  }

  /// Reads a piece.
  /// - Parameter body: Gets each record that ends in the piece. What it throws ends the reading.
  /// - Throws: `import.…` with line and column, after the records before were handed out.
  package mutating func read(
    _ piece: UnsafeBufferPointer<UInt8>, _ body: (JSONTape) throws -> Void
  ) throws {
    var index = 0
    while index < piece.count {
      switch token {
      case .none: try begin(piece, at: &index, tell: body)
      case .string: try continueText(piece, at: &index, tell: body)
      default: try continueToken(piece, at: &index, tell: body)
      }
    }
    position.endPiece(piece.count)
  }

  /// The text has ended.
  /// - Throws: `import.syntax` where it ends too early, `import.root` where there was nothing under the
  ///   root path.
  package mutating func finish(_ body: (JSONTape) throws -> Void) throws {
    // Only a number alone can end with the text.
    if case .number(let state) = token {
      guard state.isWhole else { throw early() }
      try endScalar(.number, at: 0, tell: body)
    }
    guard case .none = token, isEnded else { throw early() }
  }

  /// Whether the text may end where values have ended.
  private var isEnded: Bool {
    switch expectation {
    case .end: true
    case .value: form == .lines && places.isEmpty
    default: false
    }
  }

  /// Hands out a record where the value that has ended is one.
  mutating func endValue(_ body: (JSONTape) throws -> Void) throws {
    let isRecord: Bool
    if let place = places.last {
      isRecord = place.use == .records || place.isTarget(root.count)
      expectation = .separator
    } else {
      isRecord = root.isEmpty
      expectation = form == .lines ? .value : .end
    }
    guard isRecord, !tape.isEmpty else { return }
    tape.isAlone = places.last?.use != .records && form != .lines
    tape.name = recordName
    try body(tape)
    if isKnownUniquelyReferenced(&tape) { tape.clear() } else { tape = JSONTape() }
  }
}

extension JSONPlace {
  /// Whether the value under the name that was read last is the record, or the array of them.
  func isTarget(_ depth: Int) -> Bool { isAtFollowed && use == .path(depth - 1) }
}

extension JSONParser {
  /// Reads on in an escape, a number or a literal.
  mutating func continueToken(
    _ piece: UnsafeBufferPointer<UInt8>, at index: inout Int, tell body: (JSONTape) throws -> Void
  ) throws {
    let byte = piece[index]
    switch token {
    case .escape: try escape(byte, at: index)
    case .unicode(let missing, let unit): try unicode(byte, missing: missing, unit: unit, at: index)
    case .halfPair(let high): guard continuePair(byte, after: high) else { return }
    case .literal(let kind, let rest):
      guard byte == rest.first else { throw syntax("a value is missing", at: index) }
      token = .literal(kind, rest.dropFirst())
      if rest.count == 1 { try endLiteral(kind, at: index, tell: body) }
    case .number(let state): return try continueNumber(state, in: piece, at: &index, tell: body)
    case .none, .string: return
    }
    index += 1
  }

  mutating func beginNumber(_ state: JSONNumberState, with byte: UInt8) {
    token = .number(state)
    text.begin(at: tape.bytes.count)
    tape.bytes.append(byte)
  }

  private mutating func continueNumber(
    _ state: JSONNumberState, in piece: UnsafeBufferPointer<UInt8>, at index: inout Int,
    tell body: (JSONTape) throws -> Void
  ) throws {
    var state = state
    let start = index
    while index < piece.count, let next = state.next(piece[index]) {
      state = next
      index += 1
    }
    tape.bytes.append(contentsOf: piece[start..<index])
    token = .number(state)
    guard index < piece.count else { return }
    guard state.isWhole else { throw syntax("a digit is missing", at: index) }
    try endScalar(.number, at: index, tell: body)
  }

  private mutating func endLiteral(
    _ kind: JSONTape.Kind, at index: Int, tell body: (JSONTape) throws -> Void
  ) throws {
    text.begin(at: tape.bytes.count)
    try endScalar(kind, at: index, tell: body)
  }
}

extension JSONParser {
  func syntax(_ problem: String, at index: Int) -> CauldronError {
    syntax(JSONMistake(problem), at: index)
  }

  func syntax(_ mistake: JSONMistake, at index: Int) -> CauldronError {
    error(.importSyntax, mistake.problem, at: index, hint: mistake.hint)
  }

  /// The text ends before its value does.
  func early() -> CauldronError {
    let open = places.count
    let brackets = open == 1 ? "an array or object is" : "\(open) arrays and objects are"
    let what = open == 0 ? "a value is missing" : "\(brackets) open"
    return error(.importSyntax, "it ends too early, \(what)", at: 0, hint: "Send all of it.")
  }

  func duplicate(_ name: [UInt8], at index: Int) -> CauldronError {
    let name = String(decoding: name, as: UTF8.self)
    return error(
      .importDuplicateKey, "an object has \"\(name)\" twice", at: index,
      hint: "Which of the two is meant nobody knows; leave one out.", name: name)
  }

  /// - Parameters:
  ///   - index: The byte of the running piece.
  ///   - name: The name of the innermost object that the problem is about; nil for the last that it has.
  func error(
    _ code: CauldronError.Code, _ problem: String, at index: Int, hint: String, name: String? = nil
  ) -> CauldronError {
    let pointer = pointer(name)
    let place = pointer.isEmpty ? "" : " (\(pointer))"
    return CauldronError(
      code, "Cannot read JSON at \(position.description(of: index))\(place): \(problem).",
      hint: hint)
  }

  /// Where the reading is, as a JSON pointer (RFC 6901).
  package var pointer: String { pointer(nil) }

  private func pointer(_ inner: String?) -> String {
    var parts: [String] = []
    for place in inner == nil ? places[...] : places.dropLast() {
      switch place.use {
      case .path(let depth): if place.isAtFollowed { parts.append(name(depth)) }
      case .records:
        guard place.count > 0 else { continue }
        parts.append(place.isObject ? recordName ?? "" : "\(place.count - 1)")
      case .record:
        guard place.count > 0 else { continue }
        parts.append(place.isObject ? lastName(of: place) : "\(place.count - 1)")
      case .skipped: continue
      }
    }
    if let inner { parts.append(inner) }
    return parts.map { "/" + Self.escaped($0) }.joined()
  }

  /// A name as a pointer has it; by scalars, because to look for letters takes long among many accents.
  private static func escaped(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": result.append(contentsOf: "~0".unicodeScalars)
      case "/": result.append(contentsOf: "~1".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private func lastName(of place: JSONPlace) -> String {
    var (next, last) = (place.node + 1, place.node + 1)
    while next < tape.nodes.count {
      last = next
      guard next + 1 < tape.nodes.count else { break }
      let end = Int(tape.nodes[next + 1].end)
      // An open array or object ends where the tape does, as far as is known.
      let kind = tape.nodes[next + 1].kind
      if (kind == .array || kind == .object) && end == next + 2 && isOpen(next + 1) { break }
      next = end
    }
    return String(decoding: tape.text(last), as: UTF8.self)
  }

  private func isOpen(_ node: Int) -> Bool { places.contains { $0.node == node } }
}

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
