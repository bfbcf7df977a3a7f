package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

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
