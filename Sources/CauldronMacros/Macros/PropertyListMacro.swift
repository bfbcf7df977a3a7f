package import SwiftSyntax
package import SwiftSyntaxMacros

/// `#Unique` and `#Index`: they name properties for `@Entity` to read, which reports all that it sees;
/// by themselves they are nothing, and out of place outside of an entity.
package enum PropertyListMacro: DeclarationMacro {
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    let entity = context.lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)
    if entity?.attributes.contains(where: { $0.macroName == "Entity" }) != true {
      let name = node.macroName.trimmedDescription
      context.diagnose(Finding(node, .listOutsideEntity(macro: name)).diagnostic)
    }
    return []
  }
}
