public import Cauldron
public import Foundation

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// Any object of the default context; nil if there is none.
  @available(*, deprecated, renamed: "findFirst()")
  @MainActor
  public static func mr_findFirst() -> Self? { mr_findFirst(in: ManagedObjectContext.default) }

  /// The first object that a predicate selects in the default context.
  @available(*, deprecated, message: "use 'findFirst(where: …)', or 'matching:' with a format")
  @MainActor
  public static func mr_findFirst(with predicate: NSPredicate?) -> Self? {
    mr_findFirst(with: predicate, in: ManagedObjectContext.default)
  }

  /// The first object that a predicate selects in the default context, in the order of terms in a
  /// text.
  @available(*, deprecated, message: "use 'findFirst(where: …, sortedBy: \\.name)'")
  @MainActor
  public static func mr_findFirst(
    with predicate: NSPredicate?, sortedBy terms: String?, ascending: Bool
  ) -> Self? {
    mr_findFirst(
      with: predicate, sortedBy: terms, ascending: ascending, in: ManagedObjectContext.default)
  }

  /// The first object that a predicate selects in the default context; it has all attributes.
  @available(*, deprecated, message: "use 'findFirst(where: …)'")
  @MainActor
  public static func mr_findFirst(
    with predicate: NSPredicate?, andRetrieveAttributes attributes: [Any]?
  ) -> Self? {
    mr_findFirst(with: predicate, in: ManagedObjectContext.default)
  }

  /// The first object of the default context with a value; nil if there is none.
  @available(*, deprecated, message: "use 'findFirst(\\.name, \"jack\")'")
  @MainActor
  public static func mr_findFirst(
    byAttribute attribute: String, withValue value: Any?
  ) -> Self? {
    mr_findFirst(byAttribute: attribute, withValue: value, in: ManagedObjectContext.default)
  }

  /// The first object of the default context in the order of terms in a text.
  @available(*, deprecated, renamed: "findFirst(sortedBy:ascending:)")
  @MainActor
  public static func mr_findFirstOrdered(byAttribute terms: String, ascending: Bool) -> Self? {
    mr_findFirstOrdered(
      byAttribute: terms, ascending: ascending, in: ManagedObjectContext.default)
  }
}
