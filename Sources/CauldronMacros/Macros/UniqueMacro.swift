package import SwiftSyntax
package import SwiftSyntaxMacros

/// `#Unique`: names what must be unique, for `@Entity` to read; by itself it is nothing.
package enum UniqueMacro: DeclarationMacro {
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    PropertyListPlace.check(node, in: context)
    return []
  }
}
