package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@Entity`: describes a class to the library. Its roles are spread over extensions; only the
/// member role reports problems, so that each is reported once.
package enum EntityMacro {}

extension EntityMacro: MemberMacro {
  package static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    let result = EntityReader(attribute: node, lexicalContext: context.lexicalContext)
      .read(declaration)
    for finding in result.findings { context.diagnose(finding.diagnostic) }
    return result.entity?.members ?? []
  }
}

extension EntityMacro: ExtensionMacro {
  /// Makes a class a `ManagedEntity`, unless it inherits that from another entity; then the compiler asks
  /// for no conformance.
  ///
  /// The conformance belongs to no actor, also where the module's default isolation is one.
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let entity = EntityReader(attribute: node, lexicalContext: context.lexicalContext)
      .read(declaration).entity
    guard entity != nil, !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): ManagedEntity {}")]
  }
}

extension EntityMacro: MemberAttributeMacro {
  /// Marks each plain stored variable with `@Attribute`. A variable without a type stays as it is:
  /// accessors would only add the compiler's complaint to ours.
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) -> [AttributeSyntax] {
    guard declaration.is(ClassDeclSyntax.self),
      let variable = member.as(VariableDeclSyntax.self),
      PropertyReader.needsAttribute(variable)
    else { return [] }
    return ["@Attribute"]
  }
}

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
