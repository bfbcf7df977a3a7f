import Foundation

extension String {
  /// The text taken apart into letters and marks (Unicode's canonical decomposition).
  /// - Complexity: O(length).
  package var decomposed: String { inPieces { $0.decomposedStringWithCanonicalMapping } }

  /// The text with letters and marks put together (Unicode's canonical composition).
  /// - Complexity: O(length).
  package var composed: String { inPieces { $0.precomposedStringWithCanonicalMapping } }

  /// So long a piece takes hardly more time than in proportion.
  private static let pieceLength = 512

  /// Gives a long text to Foundation in pieces: each letter that changes has it move the rest of the text,
  /// which takes time that grows with the square of the length.
  private func inPieces(_ form: (String) -> String) -> String {
    let text = withOrderedMarks
    if text.utf8.count <= Self.pieceLength { return form(text) }
    var (result, start, count) = ("", text.startIndex, 0)
    var index = text.startIndex
    while index < text.endIndex {
      if count >= Self.pieceLength, text.unicodeScalars[index].standsApart {
        result += form(String(text.unicodeScalars[start..<index]))
        (start, count) = (index, 0)
      }
      text.unicodeScalars.formIndex(after: &index)
      count += 1
    }
    return result + form(String(text.unicodeScalars[start...]))
  }
}

extension Unicode.Scalar {
  /// Whether it changes nothing of what stands before it, in neither form.
  fileprivate var standsApart: Bool {
    // ASCII; then letters of Hangul and Kirat Rai, which join the letter before them without being marks.
    if value < 0x80 { return true }
    if (0x1160...0x11FF).contains(value) || (0x16D40...0x16D7F).contains(value) { return false }
    guard properties.canonicalCombiningClass == .notReordered else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return false
    default: return true
    }
  }
}
