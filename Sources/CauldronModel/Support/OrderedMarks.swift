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
