public import Cauldron
public import Foundation

// An error is reported, and the list is empty then.

extension ManagedEntity {
  /// A list of the objects that a request selects; it is empty until it is fetched.
  /// - Parameters:
  ///   - request: Which objects, in which order.
  ///   - delegate: Who shows the list; not kept.
  ///   - useFileCache: Does nothing: there is no file.
  ///   - group: The attribute that divides the list, perhaps behind to-one relationships.
  ///   - context: Where the list lives; kept.
  @available(
    *, deprecated,
    message: "use 'FetchedResultsController(request, in: context)', and set its delegate"
  )
  public static func mr_fetchController(
    _ request: FetchRequest<Self>, delegate: (any FetchedResultsControllerDelegate<Self>)?,
    useFileCache: Bool, groupedBy group: String?, in context: ManagedObjectContext
  ) -> FetchedResultsController<Self> {
    controller(request, delegate: delegate, group: group, in: context)
  }

  /// A list of all objects, fetched on the calling thread, which is that of the context's queue.
  @available(*, deprecated, message: "use 'try fetchAll(delegate: self, in: context)'")
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func mr_fetchAll(
    with delegate: (any FetchedResultsControllerDelegate<Self>)?, in context: ManagedObjectContext
  ) -> FetchedResultsController<Self> {
    list(where: nil, by: nil, ascending: true, group: nil, delegate: delegate, in: context)
  }

  /// A list of the objects that a predicate selects, fetched on the calling thread.
  @available(*, deprecated, message: "use 'try fetchAll(where: …, delegate: self, in: context)'")
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func mr_fetchAllSorted(
    by terms: String?, ascending: Bool, with predicate: NSPredicate?, groupBy group: String?,
    delegate: (any FetchedResultsControllerDelegate<Self>)?, in context: ManagedObjectContext
  ) -> FetchedResultsController<Self> {
    list(
      where: predicate, by: terms, ascending: ascending, group: group, delegate: delegate,
      in: context)
  }

  /// A list of the objects that a predicate selects, fetched on the calling thread.
  @available(*, deprecated, message: "use 'try fetchAll(where: …, in: context)'")
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func mr_fetchAllGrouped(
    by group: String?, with predicate: NSPredicate?, sortedBy terms: String?, ascending: Bool,
    in context: ManagedObjectContext
  ) -> FetchedResultsController<Self> {
    list(
      where: predicate, by: terms, ascending: ascending, group: group, delegate: nil, in: context)
  }

  /// A list of the objects that a predicate selects, fetched on the calling thread.
  @available(*, deprecated, message: "use 'try fetchAll(where: …, delegate: self, in: context)'")
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func mr_fetchAllGrouped(
    by group: String?, with predicate: NSPredicate?, sortedBy terms: String?, ascending: Bool,
    delegate: (any FetchedResultsControllerDelegate<Self>)?, in context: ManagedObjectContext
  ) -> FetchedResultsController<Self> {
    list(
      where: predicate, by: terms, ascending: ascending, group: group, delegate: delegate,
      in: context)
  }

  /// Fetches a list on the calling thread, which is that of its context's queue.
  /// - Returns: Whether it could be fetched.
  @available(*, deprecated, message: "use 'try await list.performFetch()'")
  @available(*, noasync, message: "use 'try await list.performFetch()'")
  @discardableResult
  public static func mr_performFetch(_ list: FetchedResultsController<Self>) -> Bool {
    MagicalRecord.attempt(in: list.managedObjectContext) { try list.performFetchAndWait() } != nil
  }

  private static func list(
    where predicate: NSPredicate?, by terms: String?, ascending: Bool, group: String?,
    delegate: (any FetchedResultsControllerDelegate<Self>)?, in context: ManagedObjectContext,
    call: String = #function
  ) -> FetchedResultsController<Self> {
    let request = MagicalRecord.attempt(in: context, call: call) {
      try oldRequest(predicate, sortedBy: terms, ascending: ascending)
    }
    let list = controller(request ?? emptyRequest, delegate: delegate, group: group, in: context)
    MagicalRecord.attempt(in: context, call: call) { try list.performFetchAndWait() }
    return list
  }

  private static func controller(
    _ request: FetchRequest<Self>, delegate: (any FetchedResultsControllerDelegate<Self>)?,
    group: String?, in context: ManagedObjectContext
  ) -> FetchedResultsController<Self> {
    let section = group.map { SectionKey<Self>.value($0) }
    let list = FetchedResultsController(request, in: context, sectionBy: section)
    list.delegate = delegate
    return list
  }
}

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
