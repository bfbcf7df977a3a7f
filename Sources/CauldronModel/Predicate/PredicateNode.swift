/// A condition on the objects of an entity: one tree for every way of writing it.
///
/// SQL and evaluation in memory give it one meaning, and it is true or false, never anything else.
/// A comparison with nil is false, except `== nil` and `!= value`, which hold for objects without
/// a value; so `!(age > 5)` holds for them. A path through a relationship that leads nowhere is nil.
/// Text is compared byte by byte in UTF-8, unless ``TextOptions`` say otherwise.
///
/// Conditions are joined by ``and(_:)``, ``or(_:)`` and ``not(_:)``, as many as there are. A condition
/// prints as a format string, and is `Codable`.
public indirect enum PredicateNode: Sendable, Hashable {
  /// Always true or always false.
  case constant(Bool)
  /// Compares two values; the options are about texts.
  case comparison(QueryExpression, ComparisonOperator, QueryExpression, TextOptions)
  /// Searches a text for another one.
  case text(QueryExpression, TextOperator, QueryExpression, TextOptions)
  /// Whether a value is one of several; `.null` among them stands for nil.
  case isIn(QueryExpression, [AttributeScalar], TextOptions)
  /// Whether an attribute or a to-one relationship has no value.
  case isNil(PropertyPath)
  /// Whether a to-one relationship leads to one of several objects.
  case refersTo(PropertyPath, [ManagedObjectID])
  /// Whether the object itself is one of several.
  case isSelf([ManagedObjectID])
  /// Whether a condition holds for any, all or none of the objects that a path leads to. It is one
  /// on those objects: their properties are named without the path. Without steps, as `ANY skills.level
  /// > 3` is read, the paths of the condition are the object's own, and the objects are those of the
  /// to-many relationship that they lead through.
  case quantified(Quantifier, PropertyPath, PredicateNode)
  /// Several conditions; made by ``and(_:)``, ``or(_:)`` and ``not(_:)``.
  case joined(PredicateJunction)

  /// The comparisons of two values.
  public enum ComparisonOperator: String, Sendable, Hashable, Codable {
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

  /// The searches in a text; all are false where one of the texts is nil.
  public enum TextOperator: String, Sendable, Hashable, Codable {
    /// The text begins with the other one.
    case beginsWith = "BEGINSWITH"
    /// The text contains the other one.
    case contains = "CONTAINS"
    /// The text ends with the other one.
    case endsWith = "ENDSWITH"
    /// The whole text is like a pattern, in which `*` stands for any characters, `?` for one, and a
    /// backslash takes away the meaning of what follows it.
    case like = "LIKE"
    /// The whole text matches a regular expression; the time is bounded by the lengths of both.
    case matches = "MATCHES"
  }

  /// For how many objects a condition has to hold.
  public enum Quantifier: String, Sendable, Hashable, Codable {
    /// For at least one; false where there are no objects.
    case any = "ANY"
    /// For each; true where there are no objects.
    case all = "ALL"
    /// For none; true where there are no objects.
    case none = "NONE"
  }
}

extension PredicateNode {
  /// Compares an attribute, or one behind to-one relationships, with a value.
  ///
  /// ```swift
  /// PredicateNode.comparison(key: "employer.name", .equal, .text("Acme"))
  /// ```
  public static func comparison(
    key: String, _ comparison: ComparisonOperator, _ value: AttributeScalar
  ) -> PredicateNode {
    .comparison(.property(PropertyPath(key)), comparison, .value(value), [])
  }

  /// Searches a text attribute.
  public static func text(
    key: String, _ search: TextOperator, _ text: String, _ options: TextOptions = []
  ) -> PredicateNode {
    .text(.property(PropertyPath(key)), search, .value(.text(text)), options)
  }

  /// Whether an attribute has one of several values.
  public static func isIn(key: String, _ values: [AttributeScalar]) -> PredicateNode {
    .isIn(.property(PropertyPath(key)), values, [])
  }

  /// Whether an attribute or a to-one relationship has no value.
  public static func isNil(key: String) -> PredicateNode { .isNil(PropertyPath(key)) }

  /// Whether a to-one relationship leads to one of several objects.
  public static func refersTo(key: String, _ ids: [ManagedObjectID]) -> PredicateNode {
    .refersTo(PropertyPath(key), ids)
  }

  /// Compares what a path leads to with a value.
  public static func compare(
    _ path: PropertyPath, _ comparison: ComparisonOperator, _ value: AttributeScalar,
    _ options: TextOptions = []
  ) -> PredicateNode {
    .comparison(.property(path), comparison, .value(value), options)
  }

  /// Searches the text that a path leads to.
  public static func search(
    _ path: PropertyPath, _ search: TextOperator, _ text: String, _ options: TextOptions = []
  ) -> PredicateNode {
    .text(.property(path), search, .value(.text(text)), options)
  }

  /// Whether a value lies between two others, or is one of them.
  public static func between(
    _ value: QueryExpression, _ least: QueryExpression, _ most: QueryExpression
  ) -> PredicateNode {
    .and([
      .comparison(value, .greaterOrEqual, least, []),
      .comparison(value, .lessOrEqual, most, []),
    ])
  }
}
