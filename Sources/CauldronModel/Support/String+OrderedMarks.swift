import Foundation

/// Texts in which very many accents stand behind a letter.
///
/// To compare, hash or normalize a text Swift and Foundation sort the marks of each letter by
/// insertion, which takes time in the square of their number, unless they are in order already.
extension String {
  /// So many marks behind a letter are nothing.
  private static let fewMarks = 32

  /// An equal text whose marks are in Unicode's canonical order behind each letter that has very many.
  ///
  /// What is done with it then takes time in proportion to its length.
  package var withOrderedMarks: String {
    guard utf8.count > Self.fewMarks, hasManyMarks else { return self }
    var result = String.UnicodeScalarView()
    var run = MarkRun()
    for scalar in unicodeScalars where !run.take(scalar) {
      run.move(to: &result)
      result.append(scalar)
    }
    run.move(to: &result)
    return String(result)
  }

  private var hasManyMarks: Bool {
    var count = 0
    for scalar in unicodeScalars {
      count = scalar.isMark ? count + 1 : 0
      if count > Self.fewMarks { return true }
    }
    return false
  }
}

/// The marks behind a letter, by their classes.
private struct MarkRun {
  /// The marks of each class in the order in which they came.
  private var marks: [UInt8: [Unicode.Scalar]] = [:]

  /// Adds a mark.
  /// - Returns: Whether the scalar is one.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isMark else { return false }
    marks[scalar.properties.canonicalCombiningClass.rawValue, default: []].append(scalar)
    return true
  }

  mutating func move(to result: inout String.UnicodeScalarView) {
    if marks.isEmpty { return }
    for (_, scalars) in marks.sorted(by: { $0.key < $1.key }) {
      result.append(contentsOf: scalars)
    }
    marks.removeAll()
  }
}

extension Unicode.Scalar {
  /// Whether Unicode sorts it behind its letter.
  fileprivate var isMark: Bool {
    value >= 0x300 && properties.canonicalCombiningClass != .notReordered
  }
}

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
