package import SwiftSyntax
package import SwiftSyntaxMacros

/// `#Index`: names what is to be indexed, for `@Entity` to read; by itself it is nothing.
package enum IndexMacro: DeclarationMacro {
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    PropertyListPlace.check(node, in: context)
    return []
  }
}
