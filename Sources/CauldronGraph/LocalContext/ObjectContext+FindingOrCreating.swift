public import CauldronModel

extension ManagedObjectContext {
  /// The object of a class with values that are unique, found or created; `findOrCreate(_:_:in:)` is the
  /// usual way to call it.
  /// - Throws: `query.…`, `store.…`.
  public func findOrCreateObject<Object: ManagedObject>(
    _ type: Object.Type, _ values: [(name: String, value: AttributeScalar)]
  ) throws -> Object {
    prove()
    let object = try core.finder.findOrCreate(core.registry.layout(of: type), with: values)
    guard let object = object as? Object else {
      throw CauldronError(
        .queryTypeMismatch,
        "Cannot find or create \(type): the object is a \(Swift.type(of: object)).")
    }
    return object
  }
}

extension LocalContext {
  /// The object of a class with values that are unique, found or created; see
  /// ``ManagedObjectContext/findOrCreateObject(_:_:)``.
  public func findOrCreateObject<Object: ManagedObject>(
    _ type: Object.Type, _ values: [(name: String, value: AttributeScalar)]
  ) throws -> Object {
    try context.findOrCreateObject(type, values)
  }
}
