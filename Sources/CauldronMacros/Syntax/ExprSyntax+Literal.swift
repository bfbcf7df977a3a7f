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

extension AttributeListSyntax.Element {
  /// The attribute's name without a module: "Entity" for `@Cauldron.Entity`.
  var macroName: String? {
    guard case .attribute(let attribute) = self else { return nil }
    return attribute.attributeName.lastName
  }
}

extension TypeSyntax {
  /// The name of a type without module or outer type, and without generic arguments.
  var lastName: String? {
    if let identifier = self.as(IdentifierTypeSyntax.self) { return identifier.name.text }
    return self.as(MemberTypeSyntax.self)?.name.text
  }

  /// The generic arguments of a named type, or none.
  var genericArguments: [TypeSyntax] {
    let clause =
      self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    return clause?.arguments.compactMap { TypeSyntax($0.argument) } ?? []
  }
}
