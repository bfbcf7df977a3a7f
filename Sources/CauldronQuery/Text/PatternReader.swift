import CauldronModel
import Foundation

/// Reads a regular expression.
struct PatternReader {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private let options: TextOptions
  private var depth = 0

  private typealias Mistake = RegularPattern.Mistake

  /// With options an expression is the same however its accents are encoded.
  init(_ text: String, _ options: TextOptions) {
    self.options = options
    let text = options.isEmpty ? text : text.composed
    scalars = Array(text.unicodeScalars)
  }

  mutating func read() throws -> PatternNode {
    let pattern = try readEither()
    guard position == scalars.count else { throw Mistake(reason: "a ) has no (") }
    return pattern
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  private mutating func readEither() throws -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 100 else { throw Mistake(reason: "its groups are nested too deeply") }
    var list = [try readSequence()]
    while take("|") { list.append(try readSequence()) }
    return list.count == 1 ? list[0] : .either(list)
  }

  private mutating func readSequence() throws -> PatternNode {
    var list: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      let part = try readOne(scalar)
      list.append(try readCount(of: part))
    }
    return list.count == 1 ? list[0] : .sequence(list)
  }

  private mutating func readOne(_ scalar: Unicode.Scalar) throws -> PatternNode {
    position += 1
    switch scalar {
    case ".": return .one(ScalarSet(.any))
    case "^": return .start
    case "$": return .end
    case "[": return .one(try readSet())
    case "(": return try readGroup()
    case "\\": return try readEscape()
    case "*", "+", "?": throw Mistake(reason: "nothing stands before \(scalar)")
    default: return readSpelt(scalar)
    }
  }

  /// A scalar with the accents behind it, which belong to it where there are options.
  private mutating func readLetter(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    var letter = [scalar]
    while !options.isEmpty, let accent = next, accent.isCombining {
      letter.append(accent)
      position += 1
    }
    return letter
  }

  /// What is spelt out, as it is compared.
  private mutating func readSpelt(_ scalar: Unicode.Scalar) -> PatternNode {
    let letter = readLetter(scalar)
    var folded: [Unicode.Scalar] = []
    TextFold(options).append(letter[...], to: &folded)
    return folded.count == 1 ? .scalar(folded[0]) : .sequence(folded.map { .scalar($0) })
  }

  private mutating func readGroup() throws -> PatternNode {
    if next == "?", !take("?:") {
      throw Mistake(reason: "groups that begin with (? are not supported, but for (?:")
    }
    let inner = try readEither()
    guard take(")") else { throw Mistake(reason: "a ( has no )") }
    return inner
  }

  private mutating func readEscape() throws -> PatternNode {
    guard let scalar = next else { throw Mistake(reason: "it ends with a backslash") }
    if scalar == "b" || scalar == "B" {
      position += 1
      return .wordEdge(scalar == "b")
    }
    if let kind = readKind() { return .one(kind) }
    return readSpelt(try readEscapedScalar())
  }

  /// A kind of characters; nil where none is named.
  private mutating func readKind() -> ScalarSet? {
    let kind: ScalarSet
    switch next {
    case "d", "D": kind = ScalarSet(.digit, isOpposite: next == "D")
    case "w", "W": kind = ScalarSet(.word, isOpposite: next == "W")
    case "s", "S": kind = ScalarSet(.space, isOpposite: next == "S")
    default: return nil
    }
    position += 1
    return kind
  }

  private mutating func readEscapedScalar() throws -> Unicode.Scalar {
    guard let scalar = next else { throw Mistake(reason: "it ends with a backslash") }
    position += 1
    switch scalar {
    case "t": return "\t"
    case "n": return "\n"
    case "r": return "\r"
    case "u": return try readCode(4)
    case "x": return try readCode(2)
    default:
      guard !scalar.properties.isAlphabetic, scalar.properties.numericType == nil else {
        throw Mistake(reason: "\\\(scalar) is not supported")
      }
      return scalar
    }
  }

  private mutating func readCode(_ count: Int) throws -> Unicode.Scalar {
    let digits = scalars[position...].prefix(count).map(String.init).joined()
    position += digits.unicodeScalars.count
    guard digits.count == count, let number = UInt32(digits, radix: 16),
      let scalar = Unicode.Scalar(number)
    else { throw Mistake(reason: "\"\(digits)\" is no character's number") }
    return scalar
  }

  private mutating func readSet() throws -> ScalarSet {
    var set = ScalarSet(options)
    set.isOpposite = take("^")
    var isFirst = true
    while let scalar = next, isFirst || scalar != "]" {
      isFirst = false
      if scalar == "[" || take("&&") { throw Mistake(reason: "sets in sets are not supported") }
      position += 1
      if scalar == "\\", let kind = readKind() {
        set.add(kind)
        continue
      }
      let low = scalar == "\\" ? try readEscapedScalar() : scalar
      if let high = try readRangeEnd() {
        guard high >= low else { throw Mistake(reason: "a range ends before it begins") }
        set.add(low...high)
      } else {
        set.add(readLetter(low))
      }
    }
    guard take("]") else { throw Mistake(reason: "a [ has no ]") }
    return set
  }

  /// The last character of a range; nil where the first one is alone.
  private mutating func readRangeEnd() throws -> Unicode.Scalar? {
    guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
      return nil
    }
    position += 1
    guard let scalar = next else { return nil }
    position += 1
    guard scalar == "\\" else { return scalar }
    if readKind() != nil { throw Mistake(reason: "a range ends with no character") }
    return try readEscapedScalar()
  }

  private mutating func readCount(of part: PatternNode) throws -> PatternNode {
    var result = part
    while let scalar = next {
      switch scalar {
      case "*": result = .repeated(result, 0, nil)
      case "+": result = .repeated(result, 1, nil)
      case "?": result = .repeated(result, 0, 1)
      case "{":
        result = try readBounds(of: result)
        _ = take("?")
        return result
      default: return result
      }
      position += 1
      // Which way is tried first makes no difference for a whole text.
      _ = take("?")
      if next == "+" { throw Mistake(reason: "possessive counts are not supported") }
      return result
    }
    return result
  }

  private mutating func readBounds(of part: PatternNode) throws -> PatternNode {
    position += 1
    let least = try readNumber()
    var most: Int? = least
    if take(",") { most = next == "}" ? nil : try readNumber() }
    guard take("}") else { throw Mistake(reason: "a { has no }") }
    if let most, most < least { throw Mistake(reason: "{\(least),\(most)} allows no count") }
    return .repeated(part, least, most)
  }

  private mutating func readNumber() throws -> Int {
    var digits = ""
    while let scalar = next, ("0"..."9").contains(scalar), digits.count < 5 {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    guard let number = Int(digits), number <= 1_000 else {
      throw Mistake(reason: "a count is a number up to 1000")
    }
    return number
  }
}
