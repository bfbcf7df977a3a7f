extension JSONParser {
  mutating func beginText(isName: Bool) {
    token = .string
    text.begin(at: tape.bytes.count, isName: isName)
  }

  /// Reads on in a text, many bytes at a time where nothing is special about them.
  mutating func continueText(
    _ piece: UnsafeBufferPointer<UInt8>, at index: inout Int, tell body: (JSONTape) throws -> Void
  ) throws {
    let start = index
    var bits: UInt8 = 0
    while index < piece.count {
      let byte = piece[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
      bits |= byte
      index += 1
    }
    text.note(bits)
    tape.bytes.append(contentsOf: piece[start..<index])
    guard index < piece.count else { return }
    switch piece[index] {
    case 0x22: try endText(at: index, tell: body)
    case 0x5C: token = .escape
    default: throw syntax("a control character in a text has to be escaped", at: index)
    }
    index += 1
  }

  mutating func escape(_ byte: UInt8, at index: Int) throws {
    token = .string
    switch byte {
    case 0x22, 0x5C, 0x2F: tape.bytes.append(byte)
    case 0x62: tape.bytes.append(0x08)
    case 0x66: tape.bytes.append(0x0C)
    case 0x6E: tape.bytes.append(0x0A)
    case 0x72: tape.bytes.append(0x0D)
    case 0x74: tape.bytes.append(0x09)
    case 0x75: token = .unicode(4, 0)
    default: throw syntax("there is no such escape", at: index)
    }
  }

  /// Takes a digit of an escaped unit.
  mutating func unicode(_ byte: UInt8, missing: Int, unit: UInt16, at index: Int) throws {
    guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
      throw syntax("an escaped unit has four hexadecimal digits", at: index)
    }
    let unit = unit << 4 | UInt16(digit)
    if missing > 1 {
      token = .unicode(missing - 1, unit)
      return
    }
    token = .string
    switch text.note(unit: unit) {
    case .scalar(let value): append(value)
    case .firstHalf: token = .halfPair(unit)
    case .nothing: break
    }
  }

  /// After the first unit of a pair an escape should follow.
  /// - Returns: Whether the byte belongs to the pair; otherwise it is still to be read.
  mutating func continuePair(_ byte: UInt8, after high: UInt16) -> Bool {
    switch text.note(byte, after: high) {
    case .escape: return true
    case .digits:
      token = .unicode(4, 0)
      return true
    case .part(let isEscaped):
      token = isEscaped ? .escape : .string
      return false
    }
  }

  /// Puts a sentence in the place of a text that is none.
  private mutating func breakText() {
    dropText()
    tape.bytes.append(contentsOf: JSONOpenText.halfPair)
  }

  private mutating func append(_ value: UInt32) {
    guard let scalar = Unicode.Scalar(value) else { return }
    tape.bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
  }

  private mutating func endText(at index: Int, tell body: (JSONTape) throws -> Void) throws {
    if text.isWide, String(validating: tape.bytes[text.start...], as: UTF8.self) == nil {
      throw syntax("a text is no valid UTF-8", at: index)
    }
    token = .none
    if text.isName { try endName(index) } else { try endScalar(.string, at: index, tell: body) }
  }

  /// Ends a text, a number or a literal, whose bytes are in the tape.
  mutating func endScalar(
    _ kind: JSONTape.Kind, at index: Int, tell body: (JSONTape) throws -> Void
  ) throws {
    token = .none
    let isBroken = text.isBroken
    if isBroken { breakText() }
    let count = tape.bytes.count - text.start
    if isKept {
      tape.add(isBroken ? .unusable : kind, start: text.start, count: count)
    } else {
      dropText()
    }
    // A number that is cut in two would be two.
    needsSpace = form == .lines && kind != .string && places.isEmpty
    try endValue(body)
  }

  /// Whether the value that ends now belongs to a record.
  private var isKept: Bool {
    switch places.last?.use {
    case .records, .record: true
    case nil: form == .lines && root.isEmpty
    case .path, .skipped: false
    }
  }

  mutating func dropText() { tape.bytes.removeSubrange(text.start...) }

  private mutating func endName(_ index: Int) throws {
    expectation = .colon
    if text.isBroken { breakText() }
    let place = places.count - 1
    places[place].isAtFollowed = false
    switch places[place].use {
    case .path(let depth):
      let name = Array(tape.bytes[text.start...])
      dropText()
      guard name == root[depth] else { return }
      if places[place].wasFollowed { throw duplicate(name, at: index) }
      (places[place].isAtFollowed, places[place].wasFollowed) = (true, true)
    case .record:
      // What is refused for it is the record, and only where a property asks for the name.
      if !isNew(place) {
        tape.addRepeated(Array(tape.bytes[text.start...]), of: places[place].node)
      }
      places[place].count += 1
      tape.add(
        text.isBroken ? .unusable : .string, start: text.start, count: tape.bytes.count - text.start
      )
    case .records:
      recordName = text.isBroken ? nil : String(decoding: tape.bytes[text.start...], as: UTF8.self)
      places[place].count += 1
      dropText()
    case .skipped: dropText()
    }
  }

  /// Whether an object of a record has not had the running name yet: Foundation drops one
  /// of two in silence.
  /// - Complexity: O(names) for a few, O(1) for many.
  private mutating func isNew(_ place: Int) -> Bool {
    let name = tape.bytes[text.start...]
    if places[place].count >= 16 {
      if places[place].names == nil { places[place].names = names(of: places[place].node) }
      return places[place].isNew(Array(name))
    }
    var next = places[place].node + 1
    while next < tape.nodes.count {
      if tape.text(next).elementsEqual(name) { return false }
      next = Int(tape.nodes[next + 1].end)
    }
    return true
  }

  private func names(of node: Int) -> Set<[UInt8]> {
    var all: Set<[UInt8]> = []
    var next = node + 1
    while next < tape.nodes.count {
      all.insert(Array(tape.text(next)))
      next = Int(tape.nodes[next + 1].end)
    }
    return all
  }
}

/// The text, name or number that a parser is reading, whose bytes so far are the last ones of its tape.
struct JSONOpenText {
  /// What an escaped unit means after those before it.
  enum Meaning {
    case scalar(UInt32)
    /// The first half of a pair; the second one has to follow.
    case firstHalf
    /// Half a pair without the other.
    case nothing
  }

  /// What stands for a text or a name with half a pair: only the record is refused that needs it.
  static let halfPair = Array("a text with half a pair of escaped units".utf8)

  /// Where its bytes begin in the tape.
  private(set) var start = 0
  /// Whether it is the name of a value.
  private(set) var isName = false
  /// Whether it has more than ASCII.
  private(set) var isWide = false
  /// Whether it has half a pair.
  private(set) var isBroken = false
  /// The first half of a pair of units, once the escape of the second one has begun.
  private var firstHalf: UInt16?

  /// Begins another one.
  @inline(__always)
  mutating func begin(at start: Int, isName: Bool = false) {
    self.start = start
    self.isName = isName
    (isWide, isBroken) = (false, false)
  }

  /// Notes bytes that were read.
  /// - Parameter bits: The bits of all of them.
  @inline(__always)
  mutating func note(_ bits: UInt8) { if bits >= 0x80 { isWide = true } }

  /// Notes an escaped unit.
  mutating func note(unit: UInt16) -> Meaning {
    if let high = firstHalf {
      firstHalf = nil
      if UTF16.isTrailSurrogate(unit) {
        return .scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00))
      }
      isBroken = true
    }
    if UTF16.isTrailSurrogate(unit) {
      isBroken = true
      return .nothing
    }
    return UTF16.isLeadSurrogate(unit) ? .firstHalf : .scalar(UInt32(unit))
  }

  /// What a byte after the first half of a pair begins.
  enum Follower {
    /// An escape, which may be that of the second half.
    case escape
    /// The digits of the second half.
    case digits
    /// Another part of the text, so that half a pair is missing; the byte is still to be read.
    case part(isEscaped: Bool)
  }

  /// Notes a byte after the first half of a pair.
  mutating func note(_ byte: UInt8, after high: UInt16) -> Follower {
    guard firstHalf != nil else {
      if byte == 0x5C {
        firstHalf = high
        return .escape
      }
      isBroken = true
      return .part(isEscaped: false)
    }
    if byte == 0x75 { return .digits }
    firstHalf = nil
    isBroken = true
    return .part(isEscaped: true)
  }
}
