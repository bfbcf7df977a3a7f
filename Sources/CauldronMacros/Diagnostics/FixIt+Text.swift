import SwiftDiagnostics
import SwiftSyntax

extension FixIt {
  /// A fix-it of one or more textual changes.
  init(_ message: String, _ changes: Change...) {
    self.init(message: Repair(message: message), changes: changes)
  }
}

extension FixIt.Change {
  static func insert(_ text: String, before node: some SyntaxProtocol) -> Self {
    let position = node.positionAfterSkippingLeadingTrivia
    return .replaceText(range: position..<position, with: text, in: Syntax(node))
  }

  static func insert(_ text: String, after node: some SyntaxProtocol) -> Self {
    let position = node.endPositionBeforeTrailingTrivia
    return .replaceText(range: position..<position, with: text, in: Syntax(node))
  }

  /// Replaces a node, but not the space and comments around it.
  static func replace(_ node: some SyntaxProtocol, with text: String) -> Self {
    let range = node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia
    return .replaceText(range: range, with: text, in: Syntax(node))
  }

  /// Removes a node and the space up to the next token.
  static func remove(_ node: some SyntaxProtocol) -> Self {
    let next = node.nextToken(viewMode: .sourceAccurate)
    let end = next?.positionAfterSkippingLeadingTrivia ?? node.endPosition
    let range = node.positionAfterSkippingLeadingTrivia..<end
    return .replaceText(range: range, with: "", in: Syntax(node))
  }

  /// Removes a node and the space between it and the token before.
  static func removeTail(_ node: some SyntaxProtocol) -> Self {
    let previous = node.previousToken(viewMode: .sourceAccurate)
    let start = previous?.endPositionBeforeTrailingTrivia ?? node.position
    return .replaceText(
      range: start..<node.endPositionBeforeTrailingTrivia, with: "", in: Syntax(node))
  }
}
