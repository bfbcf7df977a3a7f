package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Transient`: gives a variable of an entity its accessors.
package enum TransientMacro: AccessorMacro {
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    PropertyAccessors.expansion(of: node, for: declaration, in: context)
  }
}
