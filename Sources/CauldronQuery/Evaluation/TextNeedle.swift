import CauldronModel

/// What texts are searched for, prepared for many of them.
///
/// Without options bytes are compared. With one of them whole characters are found, folded: "café"
/// has no "cafe" where only case is ignored.
package struct TextNeedle: Sendable {
  /// What it was made of.
  package let text: String
  private let search: TextSearch
  private let pattern: LikePattern?
  /// The folded text, and for each of its beginnings the longest shorter one that it ends with.
  private let scalars: [Unicode.Scalar]
  private let fallbacks: [Int]

  /// - Complexity: O(length).
  package init(_ text: String, _ search: TextSearch) {
    self.text = text
    self.search = search
    pattern = search.kind == .like ? LikePattern(text, search.options) : nil
    let isFolded = pattern == nil && !search.options.isEmpty
    scalars = isFolded ? Array(TextFold(search.options)(text).unicodeScalars) : []
    fallbacks = Self.fallbacks(scalars)
  }

  /// Whether a text has it where it is searched.
  /// - Complexity: O(length of the text); as ``LikePattern`` for LIKE.
  package func isFound(in text: String) -> Bool {
    if let pattern { return pattern.matches(text) }
    if search.options.isEmpty { return hasBytes(text) }
    let text = SearchedText(text, search.options)
    let count = scalars.count
    let rest = text.scalars.count - count
    guard rest >= 0 else { return false }
    switch search.kind {
    case .beginsWith: return text.isBoundary(count) && text.scalars.starts(with: scalars)
    case .endsWith:
      return text.isBoundary(rest) && text.scalars[rest...].elementsEqual(scalars)
    case .contains: return occurs(in: text)
    case .like, .matches: return false
    }
  }

  private func hasBytes(_ text: String) -> Bool {
    switch search.kind {
    case .beginsWith: text.utf8.starts(with: self.text.utf8)
    case .endsWith: text.utf8.reversed().starts(with: self.text.utf8.reversed())
    case .contains: ScalarOrder.contains(text, self.text)
    case .like, .matches: false
    }
  }

  /// Looks at no scalar of the text twice (Knuth, Morris and Pratt).
  private func occurs(in text: SearchedText) -> Bool {
    if scalars.isEmpty { return true }
    var length = 0
    for (place, scalar) in text.scalars.enumerated() {
      while length > 0, length == scalars.count || scalars[length] != scalar {
        length = fallbacks[length - 1]
      }
      if scalars[length] == scalar { length += 1 }
      let end = place + 1
      if length == scalars.count, text.isBoundary(end), text.isBoundary(end - length) {
        return true
      }
    }
    return false
  }

  private static func fallbacks(_ scalars: [Unicode.Scalar]) -> [Int] {
    var result = Array(repeating: 0, count: scalars.count)
    var length = 0
    for place in scalars.indices.dropFirst() {
      while length > 0, scalars[length] != scalars[place] { length = result[length - 1] }
      if scalars[length] == scalars[place] { length += 1 }
      result[place] = length
    }
    return result
  }
}
