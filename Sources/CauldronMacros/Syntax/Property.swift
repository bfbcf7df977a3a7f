import SwiftSyntax

/// A declared property of an entity that has no problems.
struct Property {
  /// What a property is, which decides its accessors and its description.
  enum Role {
    case builtIn
    case custom
    /// A value that a transformer makes of bytes.
    case transformed
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
  /// What only models say of the property.
  let modelling: ModelArguments

  /// The name itself.
  var name: String { identifier.filter { $0 != "`" } }

  var isRelationship: Bool {
    switch role {
    case .toOne, .toMany: true
    case .builtIn, .custom, .transformed, .transient: false
    }
  }

  /// The name as a string literal.
  var nameLiteral: String { "\"\(name)\"" }

  func argument(_ label: String) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }
}

/// The macro that says what a variable is.
enum PropertyMarker: String {
  case attribute = "Attribute"
  case relationship = "Relationship"
  case transient = "Transient"
}

extension VariableDeclSyntax {
  /// The first of our macros on the variable, with its attribute.
  var marker: (kind: PropertyMarker, attribute: AttributeSyntax)? {
    for case .attribute(let attribute) in attributes {
      guard let name = attribute.attributeName.lastName, let kind = PropertyMarker(rawValue: name)
      else { continue }
      return (kind, attribute)
    }
    return nil
  }

  /// Whether an attribute of someone else, such as a property wrapper, owns the variable. The
  /// compiler's own attributes start with a lowercase letter; `@MainActor` is the exception.
  var hasForeignWrapper: Bool {
    attributes.contains { element in
      guard let name = element.macroName, name != "MainActor" else { return false }
      return PropertyMarker(rawValue: name) == nil && name.first?.isUppercase == true
    }
  }

  /// Whether the variable belongs to the type, not to its instances.
  var isTypeMember: Bool {
    modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
  }

  var isLet: Bool { bindingSpecifier.tokenKind == .keyword(.let) }
}

extension PatternBindingSyntax {
  /// Whether the variable has a getter of its own.
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case .getter: true
    case .accessors(let list): !list.contains { $0.isObserver }
    case nil: false
    }
  }
}

extension AccessorDeclSyntax {
  /// Whether the accessor is `willSet` or `didSet`.
  var isObserver: Bool {
    [.keyword(.willSet), .keyword(.didSet)].contains(accessorSpecifier.tokenKind)
  }
}

/// A variable with one name, one type and storage: the form that a property must have.
struct StoredVariable {
  let variable: VariableDeclSyntax
  let binding: PatternBindingSyntax
  /// The name as written.
  let identifier: TokenSyntax
  /// The type as written.
  let type: TypeSyntax
  let marker: PropertyMarker?
  let attribute: AttributeSyntax?

  var name: String { identifier.text.filter { $0 != "`" } }
  var initializer: ExprSyntax? { binding.initializer?.value.trimmed }

  /// The arguments of the macro but the former names, and but what imports are told and models say.
  var arguments: [LabeledExprSyntax] {
    (ImportArguments.labels + ModelArguments.labels)
      .reduce(allArguments.without("originalName")) { $0.without($1) }
  }

  var allArguments: [LabeledExprSyntax] {
    guard case .argumentList(let list) = attribute?.arguments else { return [] }
    return Array(list)
  }

  /// The type made optional, with parentheses where they are needed.
  var optionalType: String {
    let text = type.trimmedDescription
    let isSimple =
      type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
      || type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self)
      || type.is(TupleTypeSyntax.self)
    return isSimple ? "\(text)?" : "(\(text))?"
  }

  func property(_ role: Property.Role, isOptional: Bool) -> Property {
    Property(
      identifier: identifier.text, type: type.trimmed, isOptional: isOptional, role: role,
      initializer: initializer, arguments: arguments,
      originalNames: allArguments.originalNames, importing: ImportArguments(allArguments),
      modelling: ModelArguments(allArguments))
  }
}

/// The arguments of a macro that models have, and that say nothing to the class.
struct ModelArguments {
  /// The labels of the arguments that every property may have.
  static let labels = ["preservesValueInHistoryOnDeletion", "userInfo"]

  private let all: [LabeledExprSyntax]

  init(_ all: [LabeledExprSyntax]) { self.all = all }

  /// The call that adds this to a description; empty where there is nothing.
  func call(isRelationship: Bool) -> String {
    let others = ["isOptional", "isOrdered", "versionHashModifier"]
    let texts = (isRelationship ? others : []) + Self.labels
    let arguments = texts.compactMap { label in
      all.first { $0.label?.text == label }.map { "\(label): \($0.expression.trimmedDescription)" }
    }
    return arguments.isEmpty ? "" : "._modelled(\(arguments.joined(separator: ", ")))"
  }
}
