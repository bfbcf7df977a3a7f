public import Cauldron

extension ManagedObjectContext {
  /// Lets go of the objects of the main context, with what is unsaved.
  @available(*, deprecated, message: "use 'ManagedObjectContext.default.reset()'")
  @MainActor
  public static func mr_resetDefaultContext() { ManagedObjectContext.default.reset() }

  /// Marks objects deleted.
  @available(*, deprecated, renamed: "delete(_:)")
  public func mr_deleteObjects<Object: ManagedObject>(_ objects: some Sequence<Object>) {
    delete(objects)
  }
}
