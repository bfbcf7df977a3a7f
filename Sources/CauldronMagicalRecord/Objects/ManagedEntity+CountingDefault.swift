public import Cauldron
public import Foundation

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// How many objects the default context has.
  @available(*, deprecated, renamed: "count()")
  @MainActor
  public static func mr_countOfEntities() -> UInt {
    mr_countOfEntities(with: ManagedObjectContext.default)
  }

  /// How many objects a predicate selects in the default context; nil for all.
  @available(*, deprecated, message: "use 'count(where: …)', or 'matching:' with a format")
  @MainActor
  public static func mr_countOfEntities(with predicate: NSPredicate?) -> UInt {
    mr_countOfEntities(with: predicate, in: ManagedObjectContext.default)
  }

  /// How many objects the default context has, as a number object.
  @available(*, deprecated, renamed: "count()")
  @MainActor
  public static func mr_numberOfEntities() -> NSNumber {
    mr_numberOfEntities(with: ManagedObjectContext.default)
  }

  /// How many objects a predicate selects in the default context, as a number object; nil for all.
  @available(*, deprecated, message: "use 'count(where: …)', or 'matching:' with a format")
  @MainActor
  public static func mr_numberOfEntities(with predicate: NSPredicate?) -> NSNumber {
    mr_numberOfEntities(with: predicate, in: ManagedObjectContext.default)
  }

  /// Whether the default context has any object.
  @available(*, deprecated, renamed: "hasAny()")
  @MainActor
  public static func mr_hasAtLeastOneEntity() -> Bool {
    mr_hasAtLeastOneEntity(in: ManagedObjectContext.default)
  }
}
