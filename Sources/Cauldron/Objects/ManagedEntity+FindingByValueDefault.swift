public import CauldronGraph
public import CauldronModel

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
