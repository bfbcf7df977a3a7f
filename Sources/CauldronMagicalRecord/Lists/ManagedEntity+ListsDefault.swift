public import Cauldron
public import Foundation

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// A list of all objects of the default context, fetched on the main thread.
  @available(*, deprecated, message: "use 'try fetchAll(delegate: self)'")
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  @MainActor
  public static func mr_fetchAll(
    with delegate: (any FetchedResultsControllerDelegate<Self>)?
  ) -> FetchedResultsController<Self> { mr_fetchAll(with: delegate, in: .default) }

  /// A list of the objects that a predicate selects in the default context, fetched on the main thread.
  @available(*, deprecated, message: "use 'try fetchAll(where: …, delegate: self)'")
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  @MainActor
  public static func mr_fetchAllSorted(
    by terms: String?, ascending: Bool, with predicate: NSPredicate?, groupBy group: String?,
    delegate: (any FetchedResultsControllerDelegate<Self>)?
  ) -> FetchedResultsController<Self> {
    mr_fetchAllSorted(
      by: terms, ascending: ascending, with: predicate, groupBy: group, delegate: delegate,
      in: .default)
  }

  /// A list of the objects that a predicate selects in the default context, fetched on the main thread.
  @available(*, deprecated, message: "use 'try fetchAll(where: …, sortedBy: …, groupedBy: …)'")
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  @MainActor
  public static func mr_fetchAllGrouped(
    by group: String?, with predicate: NSPredicate?, sortedBy terms: String?, ascending: Bool
  ) -> FetchedResultsController<Self> {
    mr_fetchAllGrouped(
      by: group, with: predicate, sortedBy: terms, ascending: ascending, in: .default)
  }

  /// A list of the objects that a predicate selects in the default context, fetched on the main thread.
  @available(*, deprecated, message: "use 'try fetchAll(where: …, delegate: self)'")
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  @MainActor
  public static func mr_fetchAllGrouped(
    by group: String?, with predicate: NSPredicate?, sortedBy terms: String?, ascending: Bool,
    delegate: (any FetchedResultsControllerDelegate<Self>)?
  ) -> FetchedResultsController<Self> {
    mr_fetchAllGrouped(
      by: group, with: predicate, sortedBy: terms, ascending: ascending, delegate: delegate,
      in: .default)
  }
}
