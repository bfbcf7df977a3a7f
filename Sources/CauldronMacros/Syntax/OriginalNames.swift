import SwiftSyntax

/// `originalName: "title", "label"` takes any number of names, of which the first alone has the label.
extension [LabeledExprSyntax] {
  /// The former names as written.
  var originalNames: [String] { values("originalName") }

  /// The values of an argument that takes any number of them, as written.
  func values(_ label: String) -> [String] {
    self[range(label)].map { $0.expression.trimmedDescription }
  }

  /// The arguments but those with a label.
  func without(_ label: String) -> [LabeledExprSyntax] {
    let range = range(label)
    return Array(self[..<range.lowerBound] + self[range.upperBound...])
  }

  private func range(_ label: String) -> Range<Int> {
    guard let start = firstIndex(where: { $0.label?.text == label }) else { return 0..<0 }
    let end = self[(start + 1)...].firstIndex { $0.label != nil } ?? endIndex
    return start..<end
  }
}
