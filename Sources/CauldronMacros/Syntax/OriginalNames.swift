import SwiftSyntax

/// `originalName: "title", "label"` takes any number of names, of which the first alone has the label.
extension [LabeledExprSyntax] {
  /// The former names as written.
  var originalNames: [String] { self[originalRange].map { $0.expression.trimmedDescription } }

  /// The other arguments.
  var withoutOriginalNames: [LabeledExprSyntax] {
    let range = originalRange
    return Array(self[..<range.lowerBound] + self[range.upperBound...])
  }

  private var originalRange: Range<Int> {
    guard let start = firstIndex(where: { $0.label?.text == "originalName" }) else { return 0..<0 }
    let end = self[(start + 1)...].firstIndex { $0.label != nil } ?? endIndex
    return start..<end
  }
}
