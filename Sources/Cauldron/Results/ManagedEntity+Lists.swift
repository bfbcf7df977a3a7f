public import CauldronGraph

// MagicalRecord's calls for lists, by their names.
extension ManagedEntity {
  /// A list of the objects that a request selects; it is empty until ``performFetch(_:)``.
  ///
  /// ```swift
  /// let list = Person.fetchController(Person.fetchRequest(sortedBy: \.name), delegate: self, in: context)
  /// ```
  /// - Parameters:
  ///   - delegate: Who shows the list; not kept.
  ///   - groupedBy: What divides the list; nothing by default.
  public static func fetchController(
    _ request: FetchRequest<Self>, delegate: (any FetchedResultsControllerDelegate<Self>)? = nil,
    groupedBy section: SectionKey<Self>? = nil, in context: ManagedObjectContext
  ) -> FetchedResultsController<Self> {
    let list = FetchedResultsController(request, in: context, sectionBy: section)
    list.delegate = delegate
    return list
  }

  /// A list of the objects that a request selects in the default context; empty until it is fetched.
  /// - Parameters:
  ///   - delegate: Who shows the list; not kept.
  ///   - groupedBy: What divides the list; nothing by default.
  @MainActor
  public static func fetchController(
    _ request: FetchRequest<Self>, delegate: (any FetchedResultsControllerDelegate<Self>)? = nil,
    groupedBy section: SectionKey<Self>? = nil
  ) -> FetchedResultsController<Self> {
    fetchController(request, delegate: delegate, groupedBy: section, in: .default)
  }

  /// A list of all objects for which a condition holds, in the default context, fetched on the main thread.
  /// - Throws: `query.…`, `store.…`, `stack.closed`.
  /// - Complexity: As a fetch.
  @MainActor
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func fetchAll(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>? = nil,
    ascending: Bool = true, groupedBy section: SectionKey<Self>? = nil,
    delegate: (any FetchedResultsControllerDelegate<Self>)? = nil
  ) throws -> FetchedResultsController<Self> {
    try fetchAll(
      where: condition, sortedBy: path, ascending: ascending, groupedBy: section,
      delegate: delegate, in: .default)
  }

  /// A list of all objects for which a condition holds, fetched on the calling thread, which is that of the
  /// context's queue.
  ///
  /// ```swift
  /// let list = try Person.fetchAll(
  ///   where: \.age >= 18, sortedBy: \.name, groupedBy: .firstLetter(of: \.name), delegate: self,
  ///   in: context)
  /// ```
  /// - Parameters:
  ///   - condition: Nil, the default, for all objects.
  ///   - sortedBy: Nil, the default, for the order of their IDs.
  ///   - ascending: Whether the smallest value comes first; true by default.
  ///   - groupedBy: What divides the list, and is sorted by first; nothing by default.
  ///   - delegate: Who shows the list; not kept.
  /// - Throws: `query.…`, `store.…`, `stack.closed`.
  /// - Complexity: As a fetch.
  @available(*, noasync, message: "make a FetchedResultsController and await its performFetch()")
  public static func fetchAll(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>? = nil,
    ascending: Bool = true, groupedBy section: SectionKey<Self>? = nil,
    delegate: (any FetchedResultsControllerDelegate<Self>)? = nil,
    in context: ManagedObjectContext
  ) throws -> FetchedResultsController<Self> {
    var query = condition.map { Self.where($0) } ?? ObjectQuery<Self>()
    if let path { query = query.sorted(by: path, ascending: ascending) }
    let list = fetchController(query.request, delegate: delegate, groupedBy: section, in: context)
    try list.performFetchAndWait()
    return list
  }

  /// Fetches a list in the background.
  /// - Throws: As ``FetchedResultsController/performFetch()``.
  public nonisolated(nonsending) static func performFetch(
    _ list: FetchedResultsController<Self>
  ) async throws { try await list.performFetch() }
}
