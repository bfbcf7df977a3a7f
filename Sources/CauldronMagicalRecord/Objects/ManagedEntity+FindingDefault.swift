public import Cauldron
public import Foundation

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// All objects of the default context, in no order.
  @available(*, deprecated, renamed: "findAll()")
  @MainActor
  public static func mr_findAll() -> [Self]? { mr_findAll(in: ManagedObjectContext.default) }

  /// All objects of the default context in the order of terms in a text.
  @available(*, deprecated, renamed: "findAll(sortedBy:ascending:)")
  @MainActor
  public static func mr_findAllSorted(by terms: String, ascending: Bool) -> [Self]? {
    mr_findAllSorted(by: terms, ascending: ascending, in: ManagedObjectContext.default)
  }

  /// The objects that a predicate selects in the default context, in the order of terms in a text.
  @available(*, deprecated, message: "use 'findAll(matching: …, sortedBy: \"name\")'")
  @MainActor
  public static func mr_findAllSorted(
    by terms: String, ascending: Bool, with predicate: NSPredicate?
  ) -> [Self]? {
    mr_findAllSorted(
      by: terms, ascending: ascending, with: predicate, in: ManagedObjectContext.default)
  }

  /// The objects that a predicate selects in the default context; nil for all.
  @available(*, deprecated, message: "use 'findAll(where: …)', or 'matching:' with a format")
  @MainActor
  public static func mr_findAll(with predicate: NSPredicate?) -> [Self]? {
    mr_findAll(with: predicate, in: ManagedObjectContext.default)
  }

  /// All objects of the default context with a value.
  @available(*, deprecated, message: "use 'findAll(\\.team, \"red\")'")
  @MainActor
  public static func mr_find(
    byAttribute attribute: String, withValue value: Any?
  ) -> [Self]? {
    mr_find(byAttribute: attribute, withValue: value, in: ManagedObjectContext.default)
  }

  /// All objects of the default context with a value, in the order of terms in a text.
  @available(*, deprecated, message: "use 'findAll(\\.team, \"red\", sortedBy: \\.name)'")
  @MainActor
  public static func mr_find(
    byAttribute attribute: String, withValue value: Any?, andOrderBy terms: String?, ascending: Bool
  ) -> [Self]? {
    mr_find(
      byAttribute: attribute, withValue: value, andOrderBy: terms, ascending: ascending,
      in: ManagedObjectContext.default)
  }
}
