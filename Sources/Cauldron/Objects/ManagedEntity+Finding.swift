public import CauldronGraph
public import CauldronModel
import CauldronQuery
public import Foundation

extension ManagedEntity {
  /// The objects that a condition selects, unsaved changes of the context's chain included.
  ///
  /// ```swift
  /// let adults = try Person.findAll(where: \.age >= 18, sortedBy: \.name, in: context)
  /// // SELECT … FROM ZPERSON WHERE ZAGE >= 18 ORDER BY ZNAME, Z_PK
  /// let sorted = try Person.findAll(sortedBy: \.employer.name, \.age.descending, in: context)
  /// ```
  /// - Parameters:
  ///   - condition: Which objects; nil for all.
  ///   - order: The values to sort by, as `\.name`, `\.age.descending` or a closure; they may reach
  ///     through relationships. Nil counts as smaller than all. By default there is no order.
  ///   - ascending: The direction of values that name none: whether the smallest comes first, as it
  ///     does by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public static func findAll(
    where condition: Where<Self>? = nil,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)...,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    let keys = keys(of: order, ascending: ascending)
    return try context.fetch(
      request(where: condition, sortedBy: keys, limit: limit, offset: offset))
  }

  /// The objects that a condition in the builder's form selects, which may reach through relationships.
  ///
  /// ```swift
  /// try Person.findAll(
  ///   where: { $0.employer.name == "Acme" && $0.skills.any { $0.level >= 3 } },
  ///   sortedBy: \.employer.name, in: context)
  /// // SELECT … FROM ZPERSON WHERE ZEMPLOYER IN (SELECT Z_PK FROM ZCOMPANY AS t1 WHERE ZNAME = 'Acme')
  /// //   AND Z_PK IN (SELECT ZPERSON FROM ZSKILL AS t1 WHERE ZLEVEL >= 3) ORDER BY …
  /// ```
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; where a changed object of one of the entities is pending, a few
  ///   more for each relationship, and O(rows that lead to pending ones).
  public static func findAll(
    where condition: (QueryPath<Self, Self>) -> Where<Self>,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    let keys = keys(of: order, ascending: ascending)
    return try context.fetch(
      request(where: condition(.root), sortedBy: keys, limit: limit, offset: offset))
  }

  /// The objects for which a Foundation predicate holds, unsaved changes of the context's chain included.
  ///
  /// ```swift
  /// let adults = try Person.findAll(where: #Predicate { $0.age >= 18 }, sortedBy: \.name, in: context)
  /// ```
  /// Elsewhere ``where(_:)-(Predicate<Self>)`` and ``Where/init(_:)-(Predicate<Object>)`` take one.
  /// - Throws: `query.unsupported` for a predicate that cannot be read; `query.…`, `store.…`.
  public static func findAll(
    where predicate: Predicate<Self>,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)...,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    let keys = keys(of: order, ascending: ascending)
    return try context.fetch(
      request(where: Where(predicate), sortedBy: keys, limit: limit, offset: offset))
  }

  /// The objects that a format string selects, unsaved changes of the context's chain included.
  ///
  /// ```swift
  /// try Person.findAll(
  ///   matching: "age >= %@ AND ANY skills.name BEGINSWITH[cd] %@", 18, "sw",
  ///   sortedBy: \.name.descending, \.age, in: context)
  /// ```
  /// - Parameters:
  ///   - format: The condition; the grammar is in <doc:Queries>.
  ///   - arguments: One for each `%@` and the like; see ``Where/init(format:_:)``.
  ///   - order: The values to sort by; by default there is no order.
  ///   - ascending: The direction of values that name none; true by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, with a position where the format cannot be read; `store.…`.
  public static func findAll(
    matching format: String, _ arguments: Any?...,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    let condition = try Where<Self>(format: format, arguments: arguments)
    let keys = keys(of: order, ascending: ascending)
    return try context.fetch(
      request(where: condition, sortedBy: keys, limit: limit, offset: offset))
  }

  /// All objects with a value.
  ///
  /// ```swift
  /// let members = try Person.findAll(\.team, "red", sortedBy: \.name, in: context)
  /// ```
  /// - Parameters:
  ///   - path: The attribute.
  ///   - value: Its value; nil finds the objects without one.
  ///   - order: The values to sort by; by default there is no order.
  ///   - ascending: The direction of values that name none; true by default.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, `store.…`.
  public static func findAll<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true,
    in context: some ObjectContext
  ) throws -> [Self] {
    let keys = keys(of: order, ascending: ascending)
    return try context.fetch(request(where: path == value, sortedBy: keys))
  }
}

extension ManagedEntity {
  /// The first object that a condition selects; nil if there is none.
  ///
  /// ```swift
  /// let oldest = try Person.findFirst(sortedBy: \.age.descending, in: context)
  /// ```
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement with `LIMIT 1`.
  public static func findFirst(
    where condition: Where<Self>? = nil,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)...,
    ascending: Bool = true, in context: some ObjectContext
  ) throws -> Self? {
    let keys = keys(of: order, ascending: ascending)
    return try context.fetch(request(where: condition, sortedBy: keys, limit: 1)).first
  }

  /// The first object that a condition in the builder's form selects; nil if there is none.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement with `LIMIT 1`.
  public static func findFirst(
    where condition: (QueryPath<Self, Self>) -> Where<Self>,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true,
    in context: some ObjectContext
  ) throws -> Self? {
    let keys = keys(of: order, ascending: ascending)
    return try context.fetch(request(where: condition(.root), sortedBy: keys, limit: 1)).first
  }

  /// The first object that a format string selects; nil if there is none.
  /// - Throws: `query.…`, with a position where the format cannot be read; `store.…`.
  /// - Complexity: One statement with `LIMIT 1`.
  public static func findFirst(
    matching format: String, _ arguments: Any?...,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)..., ascending: Bool = true,
    in context: some ObjectContext
  ) throws -> Self? {
    let condition = try Where<Self>(format: format, arguments: arguments)
    let keys = keys(of: order, ascending: ascending)
    return try context.fetch(request(where: condition, sortedBy: keys, limit: 1)).first
  }

  /// The first object with a value, in no order; nil if there is none.
  ///
  /// ```swift
  /// let parcel = try Parcel.findFirst(\.code, "x1", in: context)
  /// ```
  /// - Parameters:
  ///   - path: The attribute.
  ///   - value: Its value; nil finds an object without one.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement with `LIMIT 1`; quick where the attribute is unique or indexed.
  public static func findFirst<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value, in context: some ObjectContext
  ) throws -> Self? {
    try context.fetch(request(where: path == value, limit: 1)).first
  }

  /// The object with an ID; nil if it does not exist, or is of another entity.
  /// - Throws: `store.…`.
  /// - Complexity: One statement for an object that neither context nor cache knows.
  public static func find(_ id: ManagedObjectID, in context: some ObjectContext) throws -> Self? {
    do {
      return try context.existingObject(with: id) as? Self
    } catch let error as CauldronError where error.code == .objectNotFound {
      return nil
    }
  }
}

extension ManagedEntity {
  static func request(
    where condition: Where<Self>?, sortedBy keys: [SortKey] = [], limit: Int? = nil,
    offset: Int = 0
  ) -> FetchRequest<Self> {
    var request = FetchRequest<Self>()
    request.predicate = condition?.node
    request.sortKeys = keys
    request.limit = limit
    request.offset = offset
    return request
  }

  package static func keys(
    of order: [(QueryPath<Self, Self>) -> any SortValue<Self>], ascending: Bool
  ) -> [SortKey] {
    order.map { $0(.root).sortTerm(ascending: ascending).key }
  }
}
