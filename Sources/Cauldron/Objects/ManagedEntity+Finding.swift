public import CauldronGraph
public import CauldronModel

extension ManagedEntity {
  /// The objects that a condition selects, unsaved changes of the context's chain included.
  ///
  /// ```swift
  /// let adults = try Person.findAll(where: \.age >= 18, sortedBy: \.name, in: context)
  /// // SELECT … FROM ZPERSON WHERE ZAGE >= 18 ORDER BY ZNAME, Z_PK
  /// ```
  /// - Parameters:
  ///   - condition: Which objects; nil for all.
  ///   - path: The attribute to sort by; nil values come first when ascending.
  ///   - ascending: Whether the smallest value comes first; true by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    let order = [SortTerm(path, ascending: ascending)]
    return try context.fetch(
      request(where: condition, sortedBy: order, limit: limit, offset: offset))
  }

  /// The objects that a condition selects, sorted by several attributes or not at all.
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    try context.fetch(request(where: condition, sortedBy: order, limit: limit, offset: offset))
  }

  /// The first object that a condition selects; nil if there is none.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement with `LIMIT 1`.
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true, in context: some ObjectContext
  ) throws -> Self? {
    let order = [SortTerm(path, ascending: ascending)]
    return try context.fetch(request(where: condition, sortedBy: order, limit: 1, offset: 0)).first
  }

  /// The first object that a condition selects, in the order of several attributes or in none.
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy order: [SortTerm<Self>] = [],
    in context: some ObjectContext
  ) throws -> Self? {
    try context.fetch(request(where: condition, sortedBy: order, limit: 1, offset: 0)).first
  }

  static func request(
    where condition: Where<Self>?, sortedBy order: [SortTerm<Self>] = [], limit: Int? = nil,
    offset: Int = 0
  ) -> FetchRequest<Self> {
    var request = FetchRequest<Self>()
    request.predicate = condition?.node
    request.sortKeys = order.map(\.key)
    request.limit = limit
    request.offset = offset
    return request
  }
}

extension ManagedEntity {
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
  ///   - context: The context to look in.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As `findAll(where:sortedBy:ascending:limit:offset:in:)`.
  public static func findAll<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value, sortedBy order: PartialKeyPath<Self>? = nil,
    ascending: Bool = true, in context: some ObjectContext
  ) throws -> [Self] {
    try findAll(where: path == value, sortedBy: terms(order, ascending: ascending), in: context)
  }

  /// All objects with a case of an enumeration.
  public static func findAll<Value: RawRepresentable>(
    _ path: KeyPath<Self, Value>, _ value: Value, sortedBy order: PartialKeyPath<Self>? = nil,
    ascending: Bool = true, in context: some ObjectContext
  ) throws -> [Self] where Value.RawValue: AttributeValue {
    try findAll(where: path == value, sortedBy: terms(order, ascending: ascending), in: context)
  }

  /// All objects whose to-one relationship leads to an object, or with nil nowhere.
  public static func findAll<Destination: ManagedObject>(
    _ path: KeyPath<Self, Destination?>, _ object: Destination?,
    sortedBy order: PartialKeyPath<Self>? = nil, ascending: Bool = true,
    in context: some ObjectContext
  ) throws -> [Self] {
    try findAll(where: path == object, sortedBy: terms(order, ascending: ascending), in: context)
  }

  private static func terms(
    _ order: PartialKeyPath<Self>?, ascending: Bool
  ) -> [SortTerm<Self>] {
    order.map { [ascending ? .ascending($0) : .descending($0)] } ?? []
  }
}

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// The first object with a value, in the default context.
  @MainActor
  public static func findFirst<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value
  ) throws -> Self? {
    try findFirst(path, value, in: ManagedObjectContext.default)
  }

  /// The first object with a case of an enumeration, in the default context.
  @MainActor
  public static func findFirst<Value: RawRepresentable>(
    _ path: KeyPath<Self, Value>, _ value: Value
  ) throws -> Self? where Value.RawValue: AttributeValue {
    try findFirst(path, value, in: ManagedObjectContext.default)
  }

  /// The first object whose to-one relationship leads to an object, in the default context.
  @MainActor
  public static func findFirst<Destination: ManagedObject>(
    _ path: KeyPath<Self, Destination?>, _ object: Destination?
  ) throws -> Self? {
    try findFirst(path, object, in: ManagedObjectContext.default)
  }

  /// All objects with a value, in the default context.
  @MainActor
  public static func findAll<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value, sortedBy order: PartialKeyPath<Self>? = nil,
    ascending: Bool = true
  ) throws -> [Self] {
    try findAll(
      path, value, sortedBy: order, ascending: ascending, in: ManagedObjectContext.default)
  }

  /// All objects with a case of an enumeration, in the default context.
  @MainActor
  public static func findAll<Value: RawRepresentable>(
    _ path: KeyPath<Self, Value>, _ value: Value, sortedBy order: PartialKeyPath<Self>? = nil,
    ascending: Bool = true
  ) throws -> [Self] where Value.RawValue: AttributeValue {
    try findAll(
      path, value, sortedBy: order, ascending: ascending, in: ManagedObjectContext.default)
  }

  /// All objects whose to-one relationship leads to an object, in the default context.
  @MainActor
  public static func findAll<Destination: ManagedObject>(
    _ path: KeyPath<Self, Destination?>, _ object: Destination?,
    sortedBy order: PartialKeyPath<Self>? = nil, ascending: Bool = true
  ) throws -> [Self] {
    try findAll(
      path, object, sortedBy: order, ascending: ascending, in: ManagedObjectContext.default)
  }
}

extension ManagedEntity {
  /// The object with a value that is unique, as the context sees it; where there is none, a new one that
  /// has the value.
  ///
  /// ```swift
  /// let tag = try Tag.findOrCreate(\.name, "swift", in: context)
  /// ```
  ///
  /// It never makes two objects of one value. Contexts that ask for a value which is not in the
  /// store yet get objects with the same ID, and the second save updates the row of the first.
  /// Where another process has inserted the value meanwhile, the object becomes that row when it is
  /// saved, under every merge policy; properties set since are edits like any other.
  /// - Parameters:
  ///   - path: An attribute that `#Unique` names alone, or that is marked so.
  ///   - value: The value; it must not be nil, because nil is equal to nothing.
  ///   - context: The context to look in.
  /// - Throws: `query.unsupported` where nothing says that the value is unique, where it is nil, or
  ///   where the entity is abstract; `store.…`.
  /// - Complexity: One or two statements; with pending changes one more each.
  public static func findOrCreate<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value, in context: some ObjectContext
  ) throws -> Self {
    try context.findOrCreateObject(
      Self.self, [(KeyPathTable.name(of: path), value.scalar)])
  }

  /// The object with two values that are unique together; see ``findOrCreate(_:_:in:)``.
  ///
  /// ```swift
  /// let page = try Page.findOrCreate(\.book, "b1", \.number, 4, in: context)
  /// ```
  public static func findOrCreate<First: AttributeValue, Second: AttributeValue>(
    _ first: KeyPath<Self, First>, _ firstValue: First, _ second: KeyPath<Self, Second>,
    _ secondValue: Second, in context: some ObjectContext
  ) throws -> Self {
    try context.findOrCreateObject(
      Self.self,
      [
        (KeyPathTable.name(of: first), firstValue.scalar),
        (KeyPathTable.name(of: second), secondValue.scalar),
      ])
  }

  /// The object with three values that are unique together; see ``findOrCreate(_:_:in:)``.
  public static func findOrCreate<
    First: AttributeValue, Second: AttributeValue, Third: AttributeValue
  >(
    _ first: KeyPath<Self, First>, _ firstValue: First, _ second: KeyPath<Self, Second>,
    _ secondValue: Second, _ third: KeyPath<Self, Third>, _ thirdValue: Third,
    in context: some ObjectContext
  ) throws -> Self {
    try context.findOrCreateObject(
      Self.self,
      [
        (KeyPathTable.name(of: first), firstValue.scalar),
        (KeyPathTable.name(of: second), secondValue.scalar),
        (KeyPathTable.name(of: third), thirdValue.scalar),
      ])
  }

  /// The object with a value that is unique, in the default context; see ``findOrCreate(_:_:in:)``.
  @MainActor
  public static func findOrCreate<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value
  ) throws -> Self {
    try findOrCreate(path, value, in: ManagedObjectContext.default)
  }
}
