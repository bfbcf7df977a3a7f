import SwiftSyntax

extension ExprSyntax {
  /// Whether the expression is a number, truth value or string written out: the same value for
  /// every object.
  var isConstantLiteral: Bool { literalTypeName != nil }

  var isNil: Bool { self.is(NilLiteralExprSyntax.self) }

  /// The type that a literal has by itself.
  private var literalTypeName: String? {
    if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
    if self.is(FloatLiteralExprSyntax.self) { return "Double" }
    if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
    if let string = self.as(StringLiteralExprSyntax.self), string.isConstant { return "String" }
    guard let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" else {
      return nil
    }
    let number = prefix.expression.literalTypeName
    return number == "Int" || number == "Double" ? number : nil
  }

  /// The text of a string literal of one line, without interpolation.
  var constantString: String? {
    guard let string = self.as(StringLiteralExprSyntax.self), string.segments.count == 1,
      case .stringSegment(let segment) = string.segments.first
    else { return nil }
    return segment.content.text
  }

  /// The type that an initializer gives away: a literal's, or that of a call such as `UUID()`.
  var evidentTypeName: String? {
    if let literalTypeName { return literalTypeName }
    guard let call = self.as(FunctionCallExprSyntax.self) else { return nil }
    if let array = call.calledExpression.as(ArrayExprSyntax.self) {
      return array.trimmedDescription
    }
    guard let callee = call.calledExpression.as(DeclReferenceExprSyntax.self) else { return nil }
    return callee.baseName.text.first?.isUppercase == true ? callee.trimmedDescription : nil
  }
}

extension StringLiteralExprSyntax {
  /// Whether the literal has no interpolation.
  fileprivate var isConstant: Bool { segments.allSatisfy { $0.is(StringSegmentSyntax.self) } }
}
