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
    try context.managedObjectContext.findOrCreateObject(
      Self.self, [(KeyPathTable.name(of: path), value.scalar)])
  }

  /// The object with several values that are unique together; see ``findOrCreate(_:_:in:)``.
  ///
  /// ```swift
  /// let page = try Page.findOrCreate((\.book, "b1"), (\.number, 4), in: context)
  /// ```
  public static func findOrCreate<each Value: AttributeValue>(
    _ values: repeat (KeyPath<Self, each Value>, each Value), in context: some ObjectContext
  ) throws -> Self {
    var key: [(name: String, value: AttributeScalar)] = []
    for (path, value) in repeat each values {
      key.append((KeyPathTable.name(of: path), value.scalar))
    }
    return try context.managedObjectContext.findOrCreateObject(Self.self, key)
  }

  /// The object with a value that is unique, in the default context; see ``findOrCreate(_:_:in:)``.
  @MainActor
  public static func findOrCreate<Value: AttributeValue>(
    _ path: KeyPath<Self, Value>, _ value: Value
  ) throws -> Self {
    try findOrCreate(path, value, in: ManagedObjectContext.default)
  }
}
