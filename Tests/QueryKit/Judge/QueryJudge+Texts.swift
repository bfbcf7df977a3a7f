import CauldronModel
import CauldronQuery
import Foundation

extension QueryJudge {
  /// Without options scalars are compared, as they are. With one of them letters are, with their
  /// accents, and folded.
  func finds(
    _ value: Cell, _ search: PredicateNode.TextOperator, _ part: Cell, _ options: TextOptions
  ) -> Bool {
    guard let text = value.string, let part = part.string else { return false }
    let letters = Self.letters(text, options)
    let wanted = Self.folded(part, options)
    switch search {
    case .beginsWith:
      return (0...letters.count).contains { Self.joined(letters[..<$0]) == wanted }
    case .endsWith:
      return (0...letters.count).contains { Self.joined(letters[$0...]) == wanted }
    case .contains:
      return (0...letters.count).contains { start in
        (start...letters.count).contains { Self.joined(letters[start..<$0]) == wanted }
      }
    case .like: return isLike(letters[...], Array(part.unicodeScalars)[...], options)
    case .matches: return matches(text, part, options)
    }
  }

  private func isLike(
    _ letters: ArraySlice<[Unicode.Scalar]>, _ pattern: ArraySlice<Unicode.Scalar>,
    _ options: TextOptions
  ) -> Bool {
    guard let first = pattern.first else { return letters.isEmpty }
    switch first {
    case "*":
      return isLike(letters, pattern.dropFirst(), options)
        || !letters.isEmpty && isLike(letters.dropFirst(), pattern, options)
    case "?": return !letters.isEmpty && isLike(letters.dropFirst(), pattern.dropFirst(), options)
    default:
      // What is spelt out up to the next sign; a backslash at the end means itself.
      var spelt = String.UnicodeScalarView()
      var rest = pattern
      while let next = rest.first, next != "*", next != "?" {
        rest.removeFirst()
        spelt.append(next == "\\" ? rest.popFirst() ?? next : next)
      }
      let wanted = Self.folded(String(spelt), options)
      return (letters.startIndex...letters.endIndex).contains { end in
        Self.joined(letters[..<end]) == wanted && isLike(letters[end...], rest, options)
      }
    }
  }

  /// Foundation's expressions, of composed letters without the accents that are ignored.
  private func matches(_ text: String, _ pattern: String, _ options: TextOptions) -> Bool {
    let text = Self.composed(text, options)
    guard
      let expression = try? NSRegularExpression(
        pattern: "\\A(?:\(Self.composed(pattern, options)))\\z",
        options: options.contains(.ignoringCase) ? .caseInsensitive : [])
    else { return false }
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: range) != nil
  }

  private static func composed(_ text: String, _ options: TextOptions) -> String {
    if options.isEmpty { return text }
    let letters = written(text).map { letter in
      single(string(folded(letter, options.subtracting(.ignoringCase))))
    }
    return letters.joined()
  }

  /// A letter as one character: Foundation would count the accents of one that has no composed form,
  /// such as the dot of a small "İ". Another character stands for it.
  private static func single(_ letter: String) -> String {
    let composed = letter.precomposedStringWithCanonicalMapping
    guard composed.unicodeScalars.count > 1 else { return composed }
    let number = composed.unicodeScalars.reduce(UInt32(0)) { ($0 &* 31 &+ $1.value) & 0xFFF }
    return Unicode.Scalar(0xE000 + number).map(String.init) ?? composed
  }

  /// The letters of a text, each as it is compared; accents that stand alone may be none.
  private static func letters(_ text: String, _ options: TextOptions) -> [[Unicode.Scalar]] {
    if options.isEmpty { return text.unicodeScalars.map { [$0] } }
    return written(text).map { folded($0, options) }.filter { !$0.isEmpty }
  }

  /// The letters of a text with their accents.
  private static func written(_ text: String) -> [String] {
    var result: [String] = []
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      if isAccent(scalar), !result.isEmpty {
        result[result.count - 1].unicodeScalars.append(scalar)
      } else {
        result.append(String(scalar))
      }
    }
    return result
  }

  private static func joined(_ letters: ArraySlice<[Unicode.Scalar]>) -> [Unicode.Scalar] {
    letters.flatMap { $0 }
  }

  private static func string(_ scalars: [Unicode.Scalar]) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars)
    return String(result)
  }

  /// Of those that the kit's texts have.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x36F).contains(scalar.value)
  }

  /// A letter as a large one, and that as small ones.
  private static func small(_ scalar: Unicode.Scalar) -> String {
    scalar.properties.uppercaseMapping.unicodeScalars.map(\.properties.lowercaseMapping).joined()
  }

  /// A text as it is compared: taken apart, large and then small, without accents.
  func fold(_ value: Cell, _ options: TextOptions) -> Cell {
    guard let text = value.string, !options.isEmpty else { return value }
    return Cell(Self.string(Self.folded(text, options)))
  }

  private static func folded(_ text: String, _ options: TextOptions) -> [Unicode.Scalar] {
    if options.isEmpty { return Array(text.unicodeScalars) }
    var result = text.decomposedStringWithCanonicalMapping
    if options.contains(.ignoringCase) {
      // The letter without a dot stays what it is.
      let parts = result.unicodeScalars.split(separator: "ı", omittingEmptySubsequences: false)
      result =
        parts.map { $0.map(Self.small).joined() }.joined(separator: "ı")
        .decomposedStringWithCanonicalMapping
    }
    let apart = Array(result.unicodeScalars)
    return options.contains(.ignoringDiacritics) ? apart.filter { !isAccent($0) } : apart
  }
}
