public import Cauldron

extension ManagedEntity {
  /// Creates an object in a context; nil where the context's model has not the class.
  @available(*, deprecated, renamed: "create(in:)")
  @discardableResult
  public static func mr_createEntity(in context: some ObjectContext) -> Self? {
    let context = context.managedObjectContext
    return MagicalRecord.attempt(in: context) {
      _ = try entityDescription(in: context)
      return create(in: context)
    }
  }

  /// Creates an object in the default context; nil where its model has not the class.
  @available(*, deprecated, renamed: "create()")
  @MainActor @discardableResult
  public static func mr_createEntity() -> Self? {
    mr_createEntity(in: ManagedObjectContext.default)
  }

  /// Creates an object in a context; nil where the context's model has not the class.
  @available(*, deprecated, renamed: "create(in:)")
  @discardableResult
  public static func mr_create(in context: some ObjectContext) -> Self? {
    mr_createEntity(in: context)
  }
}
