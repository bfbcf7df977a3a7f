public import Cauldron
public import Foundation

// An error is reported, and 0 or false returned.

extension ManagedEntity {
  /// How many objects there are.
  @available(*, deprecated, renamed: "count(in:)")
  public static func mr_countOfEntities(with context: some ObjectContext) -> UInt {
    counted(nil, context)
  }

  /// How many objects a predicate selects; nil for all.
  @available(
    *, deprecated, message: "use 'count(where: …, in: context)', or 'matching:' with a format"
  )
  public static func mr_countOfEntities(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> UInt { counted(predicate, context) }

  /// How many objects there are, as a number object.
  @available(*, deprecated, renamed: "count(in:)")
  public static func mr_numberOfEntities(with context: some ObjectContext) -> NSNumber {
    NSNumber(value: counted(nil, context))
  }

  /// How many objects a predicate selects, as a number object; nil for all.
  @available(
    *, deprecated, message: "use 'count(where: …, in: context)', or 'matching:' with a format"
  )
  public static func mr_numberOfEntities(
    with predicate: NSPredicate?, in context: some ObjectContext
  ) -> NSNumber { NSNumber(value: counted(predicate, context)) }

  /// Whether there is any object.
  @available(*, deprecated, renamed: "hasAny(in:)")
  public static func mr_hasAtLeastOneEntity(in context: some ObjectContext) -> Bool {
    MagicalRecord.attempt(in: context.managedObjectContext) { try hasAny(in: context) } ?? false
  }

  private static func counted(
    _ predicate: NSPredicate?, _ context: some ObjectContext, call: String = #function
  ) -> UInt {
    MagicalRecord.attempt(in: context.managedObjectContext, call: call) {
      UInt(try context.count(for: oldRequest(predicate)))
    } ?? 0
  }
}
