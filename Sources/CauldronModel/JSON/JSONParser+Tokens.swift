extension JSONParser {
  /// Reads on in an escape, a number or a literal.
  mutating func continueToken(
    _ piece: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ body: (JSONTape) throws -> Void
  ) throws {
    let byte = piece[index]
    switch token {
    case .escape: try escape(byte, index)
    case .unicode(let missing, let unit): try unicode(byte, missing, unit, index)
    case .halfPair(let high): try continuePair(byte, high, index)
    case .literal(let kind, let rest):
      guard byte == rest.first else { throw syntax("a value is missing", index) }
      token = .literal(kind, rest.dropFirst())
      if rest.count == 1 { try endLiteral(kind, index, body) }
    case .number(let state): return try continueNumber(state, piece, &index, body)
    case .none, .string: return
    }
    index += 1
  }

  mutating func beginNumber(_ state: JSONNumberState, _ byte: UInt8) {
    token = .number(state)
    textStart = tape.bytes.count
    tape.bytes.append(byte)
  }

  private mutating func continueNumber(
    _ state: JSONNumberState, _ piece: UnsafeBufferPointer<UInt8>, _ index: inout Int,
    _ body: (JSONTape) throws -> Void
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
    guard state.isWhole else { throw syntax("a digit is missing", index) }
    try endScalar(.number, index, body)
  }

  private mutating func endLiteral(
    _ kind: JSONTape.Kind, _ index: Int, _ body: (JSONTape) throws -> Void
  ) throws {
    textStart = tape.bytes.count
    try endScalar(kind, index, body)
  }
}
