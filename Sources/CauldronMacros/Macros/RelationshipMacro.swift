package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Relationship`: gives a variable of an entity its accessors.
package enum RelationshipMacro: AccessorMacro {
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    PropertyAccessors.expansion(of: node, for: declaration, in: context)
  }
}
