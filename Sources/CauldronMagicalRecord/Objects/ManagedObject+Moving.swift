public import Cauldron

extension ManagedObject {
  /// The object in another context; nil where it does not exist there, which is reported.
  @available(*, deprecated, renamed: "in(_:)")
  public final func mr_(in context: some ObjectContext) -> Self? {
    let found = MagicalRecord.attempt(in: context.managedObjectContext) {
      try context.existingObject(with: objectID) as? Self
    }
    return found ?? nil
  }

  /// There is no context of the current thread.
  @available(*, unavailable, message: "name the context: 'person.in(context)'")
  public final func mr_inThreadContext() -> Self? { nil }
}
