import SwiftSyntax

/// What a type, as written, can be used for in an entity.
enum TypeShape {
  /// A type that a column holds without conversion.
  case builtIn
  /// Any other named type, array or dictionary: the library decides by overload what to do.
  case custom
  /// `ToMany<T>` or `OrderedToMany<T>`.
  case toMany(destination: TypeSyntax, isOrdered: Bool)
  /// A tuple, a function, an existential and the like.
  case unsupported

  private static let builtInNames: Set<String> = [
    "String", "Int", "Int16", "Int32", "Int64", "Bool", "Double", "Float", "Decimal", "Date",
    "Data", "UUID", "URL", "Duration",
  ]

  /// Classifies a type without its optionality.
  init(_ type: TypeSyntax) {
    if let array = type.as(ArrayTypeSyntax.self) {
      self = Self.container(of: [array.element])
    } else if let dictionary = type.as(DictionaryTypeSyntax.self) {
      self = Self.container(of: [dictionary.key, dictionary.value])
    } else {
      self = Self.named(type)
    }
  }

  private static func named(_ type: TypeSyntax) -> TypeShape {
    guard let name = type.lastName else { return .unsupported }
    let arguments = type.genericArguments
    switch name {
    case "Any", "AnyObject", "Type", "Protocol": return .unsupported
    case "ToMany", "OrderedToMany":
      guard arguments.count == 1 else { return .unsupported }
      return .toMany(destination: arguments[0].trimmed, isOrdered: name == "OrderedToMany")
    default: return isBuiltIn(type, named: name) ? .builtIn : container(of: arguments)
    }
  }

  /// Whether a named type is a built-in one: alone, or behind the module that declares it.
  private static func isBuiltIn(_ type: TypeSyntax, named name: String) -> Bool {
    guard builtInNames.contains(name) else { return false }
    guard let member = type.as(MemberTypeSyntax.self) else { return true }
    return ["Foundation", "FoundationEssentials", "Swift"]
      .contains(member.baseType.trimmedDescription)
  }

  private static func container(of elements: [TypeSyntax]) -> TypeShape {
    let isUnsupported = elements.contains {
      if case .unsupported = TypeShape(OptionalityOf($0).wrapped) { true } else { false }
    }
    return isUnsupported ? .unsupported : .custom
  }
}

/// A type taken apart into what it wraps and how.
struct OptionalityOf {
  /// The type inside the optional, or the type itself; without needless parentheses.
  let wrapped: TypeSyntax
  /// Whether the type is `T?`, `T!` or `Optional<T>`.
  let isOptional: Bool
  /// Whether the type is `T!`.
  let isImplicitlyUnwrapped: Bool

  init(_ type: TypeSyntax) {
    let type = Self.withoutParentheses(type)
    let optional = type.as(OptionalTypeSyntax.self)?.wrappedType
    let implicit = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
    let generic = type.lastName == "Optional" ? type.genericArguments.first : nil
    wrapped = Self.withoutParentheses(optional ?? implicit ?? generic ?? type).trimmed
    isOptional = optional != nil || implicit != nil || generic != nil
    isImplicitlyUnwrapped = implicit != nil
  }

  private static func withoutParentheses(_ type: TypeSyntax) -> TypeSyntax {
    guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let only = tuple.elements.first, only.firstName == nil
    else { return type }
    return withoutParentheses(only.type)
  }
}
