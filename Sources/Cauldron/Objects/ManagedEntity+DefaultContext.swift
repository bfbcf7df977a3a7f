public import CauldronGraph
public import CauldronModel
public import Foundation

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// The objects that a condition selects, in the default context; see
  /// `findAll(where:sortedBy:ascending:limit:offset:in:)`.
  ///
  /// ```swift
  /// let adults = try Person.findAll(where: \.age >= 18, sortedBy: \.name)
  /// ```
  @MainActor
  public static func findAll(
    where condition: Where<Self>? = nil,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)...,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    let keys = keys(of: order, ascending: ascending)
    return try ManagedObjectContext.default.fetch(
      request(where: condition, sortedBy: keys, limit: limit, offset: offset))
  }

  /// The objects that a condition in the builder's form selects, in the default context.
  @MainActor
  public static func findAll(
    where condition: (QueryPath<Self, Self>) -> Where<Self>,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    let keys = keys(of: order, ascending: ascending)
    return try ManagedObjectContext.default.fetch(
      request(where: condition(.root), sortedBy: keys, limit: limit, offset: offset))
  }

  /// The objects for which a Foundation predicate holds, in the default context.
  @MainActor
  public static func findAll(
    where predicate: Predicate<Self>,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)...,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    let keys = keys(of: order, ascending: ascending)
    return try ManagedObjectContext.default.fetch(
      request(where: Where(predicate), sortedBy: keys, limit: limit, offset: offset))
  }

  /// The objects that a format string selects, in the default context.
  @MainActor
  public static func findAll(
    matching format: String, _ arguments: Any?...,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    let condition = try Where<Self>(format: format, arguments: arguments)
    let keys = keys(of: order, ascending: ascending)
    return try ManagedObjectContext.default.fetch(
      request(where: condition, sortedBy: keys, limit: limit, offset: offset))
  }

  /// All objects with a value, in the default context.
  @MainActor
  public static func findAll<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true
  ) throws -> [Self] {
    let keys = keys(of: order, ascending: ascending)
    return try ManagedObjectContext.default.fetch(request(where: path == value, sortedBy: keys))
  }
}

extension ManagedEntity {
  /// The first object that a condition selects, in the default context; nil if there is none.
  @MainActor
  public static func findFirst(
    where condition: Where<Self>? = nil,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)...,
    ascending: Bool = true
  ) throws -> Self? {
    let keys = keys(of: order, ascending: ascending)
    return try ManagedObjectContext.default.fetch(
      request(where: condition, sortedBy: keys, limit: 1)
    ).first
  }

  /// The first object that a condition in the builder's form selects, in the default context.
  @MainActor
  public static func findFirst(
    where condition: (QueryPath<Self, Self>) -> Where<Self>,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true
  ) throws -> Self? {
    let keys = keys(of: order, ascending: ascending)
    return try ManagedObjectContext.default.fetch(
      request(where: condition(.root), sortedBy: keys, limit: 1)
    ).first
  }

  /// The first object that a format string selects, in the default context.
  @MainActor
  public static func findFirst(
    matching format: String, _ arguments: Any?...,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true
  ) throws -> Self? {
    let condition = try Where<Self>(format: format, arguments: arguments)
    let keys = keys(of: order, ascending: ascending)
    return try ManagedObjectContext.default.fetch(
      request(where: condition, sortedBy: keys, limit: 1)
    ).first
  }

  /// The first object with a value, in the default context.
  @MainActor
  public static func findFirst<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value
  ) throws -> Self? { try findFirst(path, value, in: ManagedObjectContext.default) }

  /// The object with an ID, in the default context.
  @MainActor
  public static func find(_ id: ManagedObjectID) throws -> Self? {
    try find(id, in: ManagedObjectContext.default)
  }
}
