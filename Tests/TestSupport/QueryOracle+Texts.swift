import CauldronModel
import CauldronQuery
import Foundation

extension QueryOracle {
  func finds(
    _ value: AttributeScalar, _ search: PredicateNode.TextOperator, _ part: AttributeScalar,
    _ options: TextOptions
  ) -> Bool {
    guard case .text(let text) = value, case .text(let part) = part else { return false }
    let letters = letters(text, options)
    let wanted = folded(part, options)
    let count = letters.count
    switch search {
    case .matches: return matches(text, part, options)
    case .like: return isLike(letters[...], Array(part.unicodeScalars)[...], options)
    // Without options bytes are compared, and those of a scalar are never found apart.
    case .beginsWith: return (0...count).contains { spell(letters[..<$0]) == wanted }
    case .endsWith: return (0...count).contains { spell(letters[$0...]) == wanted }
    case .contains:
      return (0...count).contains { start in
        (start...count).contains { spell(letters[start..<$0]) == wanted }
      }
    }
  }

  /// For the letters that tests use.
  func fold(_ value: AttributeScalar, _ options: TextOptions) -> AttributeScalar {
    guard case .text(let text) = value, !options.isEmpty else { return value }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: folded(text, options))
    return .text(String(result))
  }

  private func folded(_ text: String, _ options: TextOptions) -> [Unicode.Scalar] {
    if options.isEmpty { return Array(text.unicodeScalars) }
    let large = options.contains(.ignoringCase) ? text.uppercased().lowercased() : text
    let apart = Array(large.decomposedStringWithCanonicalMapping.unicodeScalars)
    return options.contains(.ignoringDiacritics) ? apart.filter { !isAccent($0) } : apart
  }

  private func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x36F).contains(scalar.value)
  }

  /// The letters of a text, each as it is compared.
  private func letters(_ text: String, _ options: TextOptions) -> [[Unicode.Scalar]] {
    if options.isEmpty { return text.unicodeScalars.map { [$0] } }
    return written(text).map { folded($0, options) }.filter { !$0.isEmpty }
  }

  /// The letters of a text with their accents.
  private func written(_ text: String) -> [String] {
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

  private func spell(_ letters: ArraySlice<[Unicode.Scalar]>) -> [Unicode.Scalar] {
    letters.flatMap { $0 }
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
      var spelt = String.UnicodeScalarView()
      var rest = pattern
      while let next = rest.first, next != "*", next != "?" {
        rest.removeFirst()
        // A backslash at the end means itself.
        spelt.append(next == "\\" ? rest.popFirst() ?? next : next)
      }
      let wanted = folded(String(spelt), options)
      return (letters.startIndex...letters.endIndex).contains { end in
        spell(letters[..<end]) == wanted && isLike(letters[end...], rest, options)
      }
    }
  }

  /// Swift's expressions, of composed letters. They know no letter that is two in the other case, so that
  /// an expression of letters alone is compared as a text.
  private func matches(_ text: String, _ pattern: String, _ options: TextOptions) -> Bool {
    if pattern.allSatisfy(\.isLetter) { return folded(text, options) == folded(pattern, options) }
    let start = options.contains(.ignoringCase) ? "(?i)" : ""
    return (try? PatternMatcher(start + composed(pattern, options)))?
      .matches(composed(text, options)) ?? false
  }

  private func composed(_ text: String, _ options: TextOptions) -> String {
    if options.isEmpty { return text }
    let letters = written(text).map { letter in
      var plain = String.UnicodeScalarView()
      plain.append(contentsOf: folded(letter, options.intersection(.ignoringDiacritics)))
      return String(plain)
    }
    return letters.joined().precomposedStringWithCanonicalMapping
  }
}
