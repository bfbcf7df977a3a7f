import SwiftSyntax

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
