public import CauldronModel
import Foundation

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

extension PredicateNode {
  /// Whether all conditions hold; true where there are none.
  ///
  /// ```swift
  /// let adults = PredicateNode.and([.comparison(key: "age", .greaterOrEqual, .integer(18)), isHere])
  /// ```
  /// - Complexity: O(conditions), however they were joined before.
  public static func and(_ conditions: [PredicateNode]) -> PredicateNode {
    join(.all, of: conditions)
  }

  /// Whether at least one condition holds; false where there are none.
  /// - Complexity: O(conditions), however they were joined before.
  public static func or(_ conditions: [PredicateNode]) -> PredicateNode {
    join(.any, of: conditions)
  }

  /// Whether a condition does not hold.
  /// - Complexity: O(1).
  public static func not(_ condition: PredicateNode) -> PredicateNode {
    switch condition {
    case .constant(let value): .constant(!value)
    case .joined(let junction): junction.negated
    default: .joined(PredicateJunction(.all, [condition], isNegated: true))
    }
  }

  private static func join(
    _ kind: PredicateJunction.Kind, of nodes: [PredicateNode]
  ) -> PredicateNode {
    guard let first = nodes.first else { return .constant(kind == .all) }
    return nodes.dropFirst().reduce(first) { join(kind, of: $0, and: $1) }
  }

  /// Adds the shorter list to the longer one, so that a chain costs the same from either end.
  private static func join(
    _ kind: PredicateJunction.Kind, of a: PredicateNode, and b: PredicateNode
  ) -> PredicateNode {
    let left = PredicateJunction(a, as: kind)
    let right = PredicateJunction(b, as: kind)
    if let right, right.count > left?.count ?? 1 {
      return .joined(right.appending(a, junction: left))
    }
    if let left { return .joined(left.appending(b, junction: right)) }
    return .joined(PredicateJunction(kind, [a, b]))
  }
}

extension PredicateNode {
  /// The same condition with other paths from the object; what is asked of other objects is theirs.
  /// - Parameter map: Called with a path, and whether it is one to objects that something is gathered
  ///   from.
  func mappingPaths(
    _ map: (PropertyPath, Bool) throws -> PropertyPath
  ) rethrows -> PredicateNode {
    switch self {
    case .constant: return self
    case .comparison(let a, let comparison, let b, let options):
      return .comparison(try a.mappingPaths(map), comparison, try b.mappingPaths(map), options)
    case .text(let a, let search, let b, let options):
      return .text(try a.mappingPaths(map), search, try b.mappingPaths(map), options)
    case .isIn(let value, let list, let options):
      return .isIn(try value.mappingPaths(map), list, options)
    case .isNil(let path): return .isNil(try map(path, false))
    case .refersTo(let path, let ids): return Self.refers(try map(path, false), to: ids)
    case .isSelf(let ids): return Self.refers(try map(PropertyPath(steps: []), false), to: ids)
    case .quantified(let quantifier, let path, let condition) where path.steps.isEmpty:
      return .quantified(quantifier, path, try condition.mappingPaths(map))
    case .quantified(let quantifier, let path, let condition):
      return .quantified(quantifier, try map(path, false), condition)
    case .joined(let junction):
      let conditions = try junction.conditions.map { try $0.mappingPaths(map) }
      let node = junction.kind == .all ? PredicateNode.and(conditions) : .or(conditions)
      return junction.isNegated ? .not(node) : node
    }
  }

  private static func refers(_ path: PropertyPath, to ids: [ManagedObjectID]) -> PredicateNode {
    path.steps.isEmpty ? .isSelf(ids) : .refersTo(path, ids)
  }
}

extension QueryExpression {
  /// The same expression with other paths from the object.
  func mappingPaths(
    _ map: (PropertyPath, Bool) throws -> PropertyPath
  ) rethrows -> QueryExpression {
    switch self {
    case .value: return self
    case .property(let path): return .property(try map(path, false))
    case .arithmetic(let operation, let a, let b):
      return .arithmetic(operation, try a.mappingPaths(map), try b.mappingPaths(map))
    case .function(let function, let value):
      return .function(function, try value.mappingPaths(map))
    case .aggregate(let aggregate, let path, let value, let condition):
      return .aggregate(aggregate, of: try map(path, true), value, where: condition)
    case .conditional(let condition, let a, let b):
      return .conditional(
        try condition.mappingPaths(map), try a.mappingPaths(map), try b.mappingPaths(map))
    }
  }
}

extension PredicateNode {
  /// The property that a predicate or a sort may use by value.
  package static func attribute(
    _ key: String, _ entity: EntityLayout
  ) throws -> PropertyLayout {
    let property = try self.property(key, entity)
    switch property.kind {
    case .attribute: return property
    case .toOne, .toMany:
      throw CauldronError(
        .queryTypeMismatch,
        "\(entity.name).\(key) is a relationship; it cannot be compared with a value.",
        hint: "Compare it with an object.")
    case .transient where property.isComposite:
      let elements = entity.elements(of: property).map(\.name).joined(separator: ", ")
      throw CauldronError(
        .queryUnsupported,
        "\(entity.name).\(key) is composite; the store knows its elements alone.",
        hint: "Name one of \(elements).")
    case .transient:
      throw CauldronError(
        .queryUnsupported, "\(entity.name).\(key) is transient; the store does not know it.",
        hint: "Filter the fetched objects instead.")
    }
  }

  /// The property with a name.
  package static func property(
    _ key: String, _ entity: EntityLayout
  ) throws -> PropertyLayout {
    if let index = entity.index(of: key) { return entity.properties[index] }
    if let first = firstStep(of: key) { throw pathTooLong(key, first: first, in: entity) }
    let hint = Suggestion.hint(for: key, among: entity.declaredProperties.map(\.name))
    throw CauldronError(
      .queryUnknownKey, "\(entity.name) has no property \"\(key)\".", hint: hint
    ).with {
      $0.entity = entity.name
      $0.property = key
    }
  }

  /// The name before the first point of a path that leads beyond the entity.
  private static func firstStep(of key: String) -> String? {
    key.contains(".") || key.contains("…") ? String(key.prefix { $0 != "." && $0 != "?" }) : nil
  }

  /// A key path of several steps cannot be told from another one, so that it takes the builder.
  private static func pathTooLong(
    _ path: String, first: String, in entity: EntityLayout
  ) -> CauldronError {
    let hint: String
    switch entity.index(of: first).map({ entity.properties[$0].kind }) {
    case .toOne, .toMany: hint = "Write it with the builder: { $0.\(path) … }."
    default: hint = "Use a whole attribute, or filter or sort the fetched objects instead."
    }
    // A computed property prints as its type alone.
    let what =
      path.hasPrefix("… (")
      ? "a key path leads to no property that is stored, but to a value of type \(path.dropFirst(3).dropLast())"
      : "a condition or an order cannot follow the key path \"\(path)\""
    return CauldronError(.queryUnsupported, "\(entity.name): \(what).", hint: hint).with {
      $0.entity = entity.name
      $0.property = path
    }
  }

  static func check(
    _ scalar: AttributeScalar, for property: PropertyLayout, of entity: EntityLayout
  ) throws {
    if case .unstorable(let mark) = property.doubt, scalar == .integer(mark.slot) {
      throw CauldronError.unstorable("\(entity.name).\(property.name)", mark)
    }
    if property.form == .decimal, scalar.isFinite { return }
    let found: String
    switch (scalar, property.storageClass) {
    case (.text(let text), .text) where !isComparable(text, with: property): found = "text"
    case (.null, _), (.integer, .integer), (.integer, .real), (.real, .real), (.real, .integer),
      (.text, .text), (.blob, .blob):
      return
    case (.integer, _), (.real, _): found = "a number"
    case (.text, _): found = "text"
    case (.blob, _): found = "bytes"
    }
    throw CauldronError(
      .queryTypeMismatch,
      "\(entity.name).\(property.name) is \(property.attributeType?.displayName ?? "a reference");"
        + " it cannot be compared with \(found).")
  }

  /// Text is searched byte by byte, which is meaningless for a number that is kept as text.
  static func checkSearch(
    for text: String, in property: PropertyLayout, of entity: EntityLayout
  ) throws {
    guard property.form == .decimal else {
      return try check(.text(text), for: property, of: entity)
    }
    throw CauldronError(
      .queryTypeMismatch,
      "\(entity.name).\(property.name) is Decimal; it cannot be searched as text.")
  }

  /// Whether a text can stand for a value of a text attribute; a decimal takes numbers alone.
  private static func isComparable(_ text: String, with property: PropertyLayout) -> Bool {
    guard property.form == .decimal, text != "NaN" else { return true }
    return DecimalNumber.isSpelt(text)
  }
}
