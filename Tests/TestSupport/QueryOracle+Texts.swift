import CauldronModel
import Foundation

extension QueryOracle {
  func finds(
    _ value: AttributeScalar, _ search: PredicateNode.TextOperator, _ part: AttributeScalar,
    _ options: TextOptions
  ) -> Bool {
    guard case .text(let whole) = value, case .text(let part) = part else { return false }
    if search == .matches { return matches(whole, part, options) }
    guard case .text(let text) = fold(.text(whole), options),
      case .text(let wanted) = fold(.text(part), options)
    else { return false }
    let bytes = Array(text.utf8)
    let other = Array(wanted.utf8)
    switch search {
    case .beginsWith: return bytes.starts(with: other)
    case .endsWith: return bytes.reversed().starts(with: other.reversed())
    case .contains:
      return bytes.indices.contains { bytes[$0...].starts(with: other) } || other.isEmpty
    case .like: return isLike(text.unicodeScalars[...], wanted.unicodeScalars[...])
    case .matches: return false
    }
  }

  /// For the Latin letters that tests use.
  func fold(_ value: AttributeScalar, _ options: TextOptions) -> AttributeScalar {
    guard case .text(var text) = value, !options.isEmpty else { return value }
    text = text.decomposedStringWithCanonicalMapping
    if options.contains(.ignoringCase) { text = text.lowercased() }
    guard options.contains(.ignoringDiacritics) else { return .text(text) }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !(0x300...0x36F).contains(scalar.value) {
      result.append(scalar)
    }
    return .text(String(result))
  }

  private func isLike(
    _ text: Substring.UnicodeScalarView, _ pattern: Substring.UnicodeScalarView
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    switch first {
    case "*":
      return isLike(text, pattern.dropFirst())
        || !text.isEmpty && isLike(text.dropFirst(), pattern)
    case "?": return !text.isEmpty && isLike(text.dropFirst(), pattern.dropFirst())
    default: return text.first == first && isLike(text.dropFirst(), pattern.dropFirst())
    }
  }

  private func matches(_ text: String, _ pattern: String, _ options: TextOptions) -> Bool {
    guard case .text(let text) = fold(.text(text), options.subtracting(.ignoringCase)),
      case .text(let pattern) = fold(.text(pattern), options.subtracting(.ignoringCase))
    else { return false }
    let start = options.contains(.ignoringCase) ? "(?i)" : ""
    return (try? PatternMatcher(start + pattern))?.matches(text) ?? false
  }
}
