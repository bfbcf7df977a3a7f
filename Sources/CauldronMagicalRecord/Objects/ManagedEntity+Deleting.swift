public import Cauldron
public import Foundation

// An error is reported, and false returned.

extension ManagedEntity {
  /// Marks the objects deleted that a predicate selects.
  /// - Returns: Whether they could be found; true where there are none, too.
  @available(
    *, deprecated, message: "use 'deleteAll(where: …, in: context)', or 'matching:' with a format"
  )
  @discardableResult
  public static func mr_deleteAll(
    matching predicate: NSPredicate, in context: some ObjectContext
  ) -> Bool {
    MagicalRecord.attempt(in: context.managedObjectContext) {
      try deleteAll(where: Where(predicate.condition()), in: context)
    } != nil
  }

  /// Marks the objects deleted that a predicate selects in the default context.
  @available(*, deprecated, message: "use 'deleteAll(where: …)', or 'matching:' with a format")
  @MainActor @discardableResult
  public static func mr_deleteAll(matching predicate: NSPredicate) -> Bool {
    mr_deleteAll(matching: predicate, in: ManagedObjectContext.default)
  }

  /// Marks all objects deleted, those of subentities included.
  /// - Returns: Whether they could be found; true where there are none, too.
  @available(*, deprecated, renamed: "truncateAll(in:)")
  @discardableResult
  public static func mr_truncateAll(in context: some ObjectContext) -> Bool {
    MagicalRecord.attempt(in: context.managedObjectContext) { try truncateAll(in: context) } != nil
  }

  /// Marks all objects of the default context deleted, those of subentities included.
  @available(*, deprecated, renamed: "truncateAll()")
  @MainActor @discardableResult
  public static func mr_truncateAll() -> Bool {
    mr_truncateAll(in: ManagedObjectContext.default)
  }
}

extension ManagedObject {
  /// Marks the object deleted.
  /// - Returns: True, as always.
  @available(*, deprecated, renamed: "delete()")
  @discardableResult
  public final func mr_deleteEntity() -> Bool {
    delete()
    return true
  }

  /// Marks the object deleted in another context.
  /// - Returns: Whether that context could be asked; true where it has not the object, too.
  @available(*, deprecated, renamed: "delete(in:)")
  @discardableResult
  public final func mr_deleteEntity(in context: some ObjectContext) -> Bool {
    MagicalRecord.attempt(in: context.managedObjectContext) { try delete(in: context) } != nil
  }

  /// Marks the object deleted in another context.
  @available(*, deprecated, renamed: "delete(in:)")
  @discardableResult
  public final func mr_delete(in context: some ObjectContext) -> Bool {
    mr_deleteEntity(in: context)
  }
}
