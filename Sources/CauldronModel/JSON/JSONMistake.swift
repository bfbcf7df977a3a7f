/// The mistake in a text that should be JSON, by its usual name.
struct JSONMistake {
  let problem: String
  let hint: String

  init(_ problem: String, hint: String = "Nothing of what follows was read.") {
    self.problem = problem
    self.hint = hint
  }

  static let missingValue = JSONMistake("a value is missing")

  /// The kind of file that the first bytes belong to; nil where they may be JSON.
  /// - Parameters:
  ///   - offset: How many bytes come before the byte.
  ///   - isOutside: Whether no array or object is open.
  static func otherFile(_ byte: UInt8, at offset: Int, isOutside: Bool) -> JSONMistake? {
    switch byte {
    case 0x3C where isOutside:
      JSONMistake(
        "this is HTML or XML, and no JSON",
        hint: "Look at it: a server may have sent a page with an error.")
    case 0xFE where offset == 0, 0xFF where offset == 0, 0 where offset < 2:
      JSONMistake("this is UTF-16 or UTF-32, and no UTF-8", hint: "Convert it to UTF-8.")
    case 0x1F where offset == 0:
      JSONMistake("this is compressed", hint: "Unpack it first.")
    default: nil
    }
  }

  /// A byte that begins no value.
  /// - Parameter isAfterComma: Whether a comma in an array stands before it.
  static func value(_ byte: UInt8, isAfterComma: Bool) -> JSONMistake {
    switch byte {
    case 0x5D where isAfterComma: JSONMistake("there is a comma before \"]\"")
    case 0x27: JSONMistake("texts stand in double quotes")
    case 0x2F, 0x23: JSONMistake("JSON has no comments")
    case 0x2B, 0x2E: JSONMistake("a number begins with a digit, or with \"-\"")
    case 0x41...0x5A, 0x61...0x7A:
      JSONMistake("only null, true, false and numbers stand without quotes")
    default: missingValue
    }
  }

  /// A byte that begins no name in an object.
  static func name(_ byte: UInt8) -> JSONMistake {
    switch byte {
    case 0x7D: JSONMistake("there is a comma before \"}\"")
    case 0x2F, 0x23: JSONMistake("JSON has no comments")
    case 0x27, 0x41...0x5A, 0x61...0x7A, 0x5F: JSONMistake("names stand in double quotes")
    default: JSONMistake("a name in quotes is missing")
    }
  }

  /// A byte after the end of the text.
  static func more(_ byte: UInt8) -> JSONMistake {
    let problem = "more follows after the end"
    guard byte == 0x7B || byte == 0x5B else { return JSONMistake(problem) }
    return JSONMistake(
      problem, hint: "Texts one after the other are imported with records: .lines.")
  }
}

/// How far a parser has read. Bytes are named by their index in the running piece.
struct JSONPosition {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// How many bytes were read before this piece.
  private var offset = 0
  /// How many bytes of a byte order mark were read.
  private var markCount = 0
  private var line = 1
  private var lineStart = 0

  /// Where a byte is in the whole text.
  @inline(__always)
  func offset(of index: Int) -> Int { offset + index }

  /// A piece was read.
  mutating func endPiece(_ count: Int) { offset += count }

  /// A line begins.
  @inline(__always)
  mutating func beginLine(at index: Int) {
    line += 1
    lineStart = offset + index
  }

  /// Whether a byte belongs to the mark with which some programs begin a text in UTF-8.
  @inline(__always)
  mutating func takesMark(_ byte: UInt8, at index: Int) -> Bool {
    // Only the first bytes of a text can, so that all others cost one comparison.
    offset + index == markCount && takesNextOfMark(byte)
  }

  @inline(never)
  private mutating func takesNextOfMark(_ byte: UInt8) -> Bool {
    guard markCount < Self.mark.count, byte == Self.mark[markCount] else { return false }
    markCount += 1
    return true
  }

  /// Whether the mark has begun and is not whole.
  var isInMark: Bool { markCount == 1 || markCount == 2 }

  /// The line and the column of a byte, for people.
  func description(of index: Int) -> String {
    "line \(line), column \(offset + index - lineStart + 1)"
  }
}
