package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// What the three accessor macros share.
enum PropertyAccessors {
  /// The accessors of a property. The problems of a property are reported by `@Entity`; here only
  /// its absence is one.
  static func expansion(
    of node: AttributeSyntax, for declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
    guard let entity = enclosingEntity(context.lexicalContext) else {
      let marker = node.attributeName.trimmedDescription
      context.diagnose(Finding(node, .outsideEntity(marker: marker)).diagnostic)
      return placeholders
    }
    let outer = Array(context.lexicalContext.dropFirst())
    guard EntityHeader(entity, lexicalContext: outer).finding == nil else { return placeholders }
    return PropertyReader.read(variable).property?.accessors ?? placeholders
  }

  /// Accessors for a property that was reported, so that the compiler adds no errors of its own.
  /// They never run: the report is an error.
  private static let placeholders: [AccessorDeclSyntax] = [
    "get { Swift.preconditionFailure() }", "set { }",
  ]

  private static func enclosingEntity(_ lexicalContext: [Syntax]) -> (any DeclGroupSyntax)? {
    guard let declaration = lexicalContext.first?.asProtocol((any DeclGroupSyntax).self),
      declaration.attributes.contains(where: { $0.macroName == "Entity" })
    else { return nil }
    return declaration
  }
}

/// `@Attribute`: gives a variable of an entity its accessors.
package enum AttributeMacro: AccessorMacro {
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    PropertyAccessors.expansion(of: node, for: declaration, in: context)
  }
}

/// `@Relationship`: gives a variable of an entity its accessors.
package enum RelationshipMacro: AccessorMacro {
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    PropertyAccessors.expansion(of: node, for: declaration, in: context)
  }
}

/// `@Transient`: gives a variable of an entity its accessors.
package enum TransientMacro: AccessorMacro {
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    PropertyAccessors.expansion(of: node, for: declaration, in: context)
  }
}
