public import CauldronGraph
public import CauldronModel

extension ManagedEntity {
  /// The first object with a value, in no order; nil if there is none.
  ///
  /// ```swift
  /// let parcel = try Parcel.findFirst(\.code, "x1", in: context)
  /// ```
  /// - Parameters:
  ///   - path: The attribute.
  ///   - value: Its value; nil finds an object without one.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement with `LIMIT 1`; quick where the attribute is unique or indexed.
  public static func findFirst<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value, in context: some ObjectContext
  ) throws -> Self? {
    try findFirst(where: path == value, in: context)
  }

  /// The first object with a case of an enumeration, in no order.
  public static func findFirst<Value: RawRepresentable>(
    _ path: KeyPath<Self, Value>, _ value: Value, in context: some ObjectContext
  ) throws -> Self? where Value.RawValue: AttributeValue {
    try findFirst(where: path == value, in: context)
  }

  /// The first object whose to-one relationship leads to an object, or with nil nowhere; in no order.
  public static func findFirst<Destination: ManagedObject>(
    _ path: KeyPath<Self, Destination?>, _ object: Destination?, in context: some ObjectContext
  ) throws -> Self? {
    try findFirst(where: path == object, in: context)
  }

  /// All objects with a value.
  ///
  /// ```swift
  /// let members = try Person.findAll(\.team, "red", sortedBy: \.name, in: context)
  /// ```
  /// - Parameters:
  ///   - path: The attribute.
  ///   - value: Its value; nil finds the objects without one.
  ///   - order: The attribute to sort by; nil, the default, for no order.
  ///   - ascending: Whether the smallest value comes first; true by default.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As ``findAll(where:sortedBy:ascending:limit:offset:in:)``.
  public static func findAll<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value, sortedBy order: PartialKeyPath<Self>? = nil,
    ascending: Bool = true, in context: some ObjectContext
  ) throws -> [Self] {
    try findAll(where: path == value, sortedBy: terms(order, ascending), in: context)
  }

  /// All objects with a case of an enumeration.
  public static func findAll<Value: RawRepresentable>(
    _ path: KeyPath<Self, Value>, _ value: Value, sortedBy order: PartialKeyPath<Self>? = nil,
    ascending: Bool = true, in context: some ObjectContext
  ) throws -> [Self] where Value.RawValue: AttributeValue {
    try findAll(where: path == value, sortedBy: terms(order, ascending), in: context)
  }

  /// All objects whose to-one relationship leads to an object, or with nil nowhere.
  public static func findAll<Destination: ManagedObject>(
    _ path: KeyPath<Self, Destination?>, _ object: Destination?,
    sortedBy order: PartialKeyPath<Self>? = nil, ascending: Bool = true,
    in context: some ObjectContext
  ) throws -> [Self] {
    try findAll(where: path == object, sortedBy: terms(order, ascending), in: context)
  }

  private static func terms(
    _ order: PartialKeyPath<Self>?, _ ascending: Bool
  ) -> [SortTerm<Self>] {
    order.map { [ascending ? .ascending($0) : .descending($0)] } ?? []
  }
}
