/// A condition on the objects of an entity: one tree for every way of writing it.
///
/// SQL and evaluation in memory give it one meaning. A comparison with nil is false, except
/// `== nil` and `!= value`, which hold for objects without a value; so `!(age > 5)` holds for them.
/// Text is compared byte by byte in UTF-8.
///
/// Conditions are joined by ``and(_:)``, ``or(_:)`` and ``not(_:)``, as many as there are.
public enum PredicateNode: Sendable, Hashable {
  /// Always true or always false.
  case constant(Bool)
  /// Compares an attribute with a value.
  case comparison(key: String, ComparisonOperator, AttributeScalar)
  /// Searches a text attribute.
  case text(key: String, TextOperator, String)
  /// Whether an attribute has one of several values.
  case isIn(key: String, [AttributeScalar])
  /// Whether an attribute or a to-one relationship has no value.
  case isNil(key: String)
  /// Whether a to-one relationship leads to one of several objects.
  case refersTo(key: String, [ManagedObjectID])
  /// Whether the object itself is one of several.
  case isSelf([ManagedObjectID])
  /// Several conditions; made by ``and(_:)``, ``or(_:)`` and ``not(_:)``.
  case joined(PredicateJunction)

  /// The comparisons of two values.
  public enum ComparisonOperator: String, Sendable, Hashable {
    /// Equal, or both nil.
    case equal = "="
    /// Not equal.
    case notEqual = "<>"
    /// Less.
    case less = "<"
    /// Less or equal.
    case lessOrEqual = "<="
    /// Greater.
    case greater = ">"
    /// Greater or equal.
    case greaterOrEqual = ">="
  }

  /// The searches in a text.
  public enum TextOperator: Sendable, Hashable {
    /// The text begins with the other one.
    case beginsWith
    /// The text contains the other one.
    case contains
    /// The text ends with the other one.
    case endsWith
  }
}
