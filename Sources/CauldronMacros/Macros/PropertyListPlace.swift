import SwiftSyntax
import SwiftSyntaxMacros

/// What `#Unique` and `#Index` have to say themselves: `@Entity` reports all else, where it sees them.
enum PropertyListPlace {
  static func check(
    _ node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) {
    let entity = context.lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)
    guard entity?.attributes.contains(where: { $0.macroName == "Entity" }) != true else { return }
    let name = node.macroName.trimmedDescription
    context.diagnose(Finding(node, .listOutsideEntity(macro: name)).diagnostic)
  }
}
