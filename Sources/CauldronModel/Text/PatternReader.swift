/// Reads a regular expression.
struct PatternReader {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var ignoresCase: Bool
  private var depth = 0

  private typealias Mistake = RegularPattern.Mistake

  init(_ text: String, ignoresCase: Bool) {
    scalars = Array(text.unicodeScalars)
    self.ignoresCase = ignoresCase
  }

  mutating func read() throws -> PatternNode {
    if take("(?i)") { ignoresCase = true }
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
    default: return .one(ScalarSet(scalar, ignoresCase: ignoresCase))
    }
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
    return .one(try readEscapedSet())
  }

  private mutating func readEscapedSet() throws -> ScalarSet {
    guard let scalar = next else { throw Mistake(reason: "it ends with a backslash") }
    position += 1
    switch scalar {
    case "d", "D": return ScalarSet(.digit, isOpposite: scalar == "D")
    case "w", "W": return ScalarSet(.word, isOpposite: scalar == "W")
    case "s", "S": return ScalarSet(.space, isOpposite: scalar == "S")
    case "t": return ScalarSet("\t", ignoresCase: false)
    case "n": return ScalarSet("\n", ignoresCase: false)
    case "r": return ScalarSet("\r", ignoresCase: false)
    case "u": return ScalarSet(try readCode(4), ignoresCase: ignoresCase)
    case "x": return ScalarSet(try readCode(2), ignoresCase: ignoresCase)
    default:
      guard !scalar.properties.isAlphabetic, scalar.properties.numericType == nil else {
        throw Mistake(reason: "\\\(scalar) is not supported")
      }
      return ScalarSet(scalar, ignoresCase: ignoresCase)
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
    var set = ScalarSet(ignoresCase: ignoresCase)
    set.isOpposite = take("^")
    var isFirst = true
    while let scalar = next, isFirst || scalar != "]" {
      isFirst = false
      if scalar == "[" || take("&&") { throw Mistake(reason: "sets in sets are not supported") }
      position += 1
      let part = scalar == "\\" ? try readEscapedSet() : ScalarSet(scalar, ignoresCase: false)
      set.kinds += part.kinds
      guard let low = part.ranges.first?.lowerBound else { continue }
      set.ranges.append(low...(try readRangeEnd(low)))
    }
    guard take("]") else { throw Mistake(reason: "a [ has no ]") }
    return set
  }

  /// The last character of a range, or the first one where it is alone.
  private mutating func readRangeEnd(_ low: UInt32) throws -> UInt32 {
    guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
      return low
    }
    position += 1
    guard let scalar = next else { return low }
    position += 1
    let end = scalar == "\\" ? try readEscapedSet() : ScalarSet(scalar, ignoresCase: false)
    guard let high = end.ranges.first?.upperBound, high >= low else {
      throw Mistake(reason: "a range ends before it begins")
    }
    return high
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
