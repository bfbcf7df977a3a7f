package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

extension EntityMacro: ExtensionMacro {
  /// Makes a class that derives from `ManagedObject` a `ManagedEntity`; other classes inherit that.
  ///
  /// The conformance belongs to no actor, also where the module's default isolation is one.
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let entity = EntityReader(attribute: node, lexicalContext: context.lexicalContext)
      .read(declaration).entity
    guard let entity, entity.superclass == nil, !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): ManagedEntity {}")]
  }
}
