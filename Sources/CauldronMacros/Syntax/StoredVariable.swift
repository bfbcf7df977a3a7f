import SwiftSyntax

/// A variable with one name, one type and storage: the form that a property must have.
struct StoredVariable {
  let variable: VariableDeclSyntax
  let binding: PatternBindingSyntax
  /// The name as written.
  let identifier: TokenSyntax
  /// The type as written.
  let type: TypeSyntax
  let marker: PropertyMarker?
  let attribute: AttributeSyntax?

  var name: String { identifier.text.filter { $0 != "`" } }
  var initializer: ExprSyntax? { binding.initializer?.value.trimmed }

  /// The arguments of the macro but the former names, and but what imports are told.
  var arguments: [LabeledExprSyntax] {
    ImportArguments.labels.reduce(allArguments.without("originalName")) { $0.without($1) }
  }

  var allArguments: [LabeledExprSyntax] {
    guard case .argumentList(let list) = attribute?.arguments else { return [] }
    return Array(list)
  }

  /// The type made optional, with parentheses where they are needed.
  var optionalType: String {
    let text = type.trimmedDescription
    let isSimple =
      type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
      || type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self)
      || type.is(TupleTypeSyntax.self)
    return isSimple ? "\(text)?" : "(\(text))?"
  }

  func property(_ role: Property.Role, isOptional: Bool) -> Property {
    Property(
      identifier: identifier.text, type: type.trimmed, isOptional: isOptional, role: role,
      initializer: initializer, arguments: arguments,
      originalNames: allArguments.originalNames, importing: ImportArguments(allArguments))
  }
}
