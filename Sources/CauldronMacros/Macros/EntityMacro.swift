package import SwiftSyntax
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
