public import CauldronGraph
public import CauldronModel

extension ManagedEntity {
  /// The object with a value that is unique, as the context sees it; where there is none, a new one that
  /// has the value.
  ///
  /// ```swift
  /// let tag = try Tag.findOrCreate(\.name, "swift", in: context)
  /// ```
  ///
  /// It never makes two objects of one value. Contexts that ask for a value which is not in the store yet
  /// get objects with the same ID, and whoever is saved second changes what the first has inserted. Where
  /// another process has inserted the value meanwhile, the object becomes that row when it is saved, under
  /// every merge policy; what was set of the object since is an edit like any other.
  /// - Parameters:
  ///   - path: An attribute that `#Unique` names alone, or that is marked so.
  ///   - value: The value; it must not be nil, because nil is equal to nothing.
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
