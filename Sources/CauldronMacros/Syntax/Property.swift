import SwiftSyntax

/// A declared property of an entity that has no problems.
struct Property {
  /// What a property is, which decides its accessors and its description.
  enum Role {
    case builtIn
    case custom
    case transient
    case toOne(destination: TypeSyntax)
    case toMany(destination: TypeSyntax, isOrdered: Bool)
  }

  /// The name as written, with backticks where it needs them.
  let identifier: String
  /// The type as written.
  let type: TypeSyntax
  let isOptional: Bool
  let role: Role
  let initializer: ExprSyntax?
  /// The arguments of the macro on the property but the former names.
  let arguments: [LabeledExprSyntax]
  /// The names that the property had before, as written.
  let originalNames: [String]
  /// What imports are told of the property.
  let importing: ImportArguments

  /// The name itself.
  var name: String { identifier.filter { $0 != "`" } }

  var isRelationship: Bool {
    switch role {
    case .toOne, .toMany: true
    case .builtIn, .custom, .transient: false
    }
  }

  /// The name as a string literal.
  var nameLiteral: String { "\"\(name)\"" }

  func argument(_ label: String) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }
}
