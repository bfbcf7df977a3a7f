import SwiftSyntax

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
