public import CauldronGraph

extension FetchedResultsController where Object: ManagedEntity {
  /// Makes a list of a query's objects; it is empty until ``performFetch()``.
  ///
  /// ```swift
  /// let list = FetchedResultsController(
  ///   Person.where(\.age >= 18).sorted(by: \.name), in: .default, sectionBy: .firstLetter(of: \.name))
  /// ```
  /// - Parameters:
  ///   - context: Where; kept.
  ///   - sectionBy: What divides the list; nothing by default.
  ///   - reporting: How the delegate is told; a call for each change by default.
  public convenience init(
    _ query: ObjectQuery<Object>, in context: ManagedObjectContext,
    sectionBy section: SectionKey<Object>? = nil, reporting: FetchedResultsReporting = .changes
  ) {
    self.init(query.request, in: context, sectionBy: section, reporting: reporting)
  }

  /// What the list is of. Setting it has the list show another result as soon as that is whole; the old
  /// one stays until then. Of several that are set in a row only the last is shown.
  ///
  /// ```swift
  /// list.query = Person.where(.contains(\.name, text))   // search as you type
  /// ```
  public var query: ObjectQuery<Object> {
    get { ObjectQuery(fetchRequest) }
    set { fetchRequest = newValue.request }
  }

  /// Has the list show another result, and returns when it does, or when a later one is shown.
  /// - Throws: As ``performFetch()``; then the list stays as it was.
  public nonisolated(nonsending) func setQuery(_ query: ObjectQuery<Object>) async throws {
    try await setRequest(query.request)
  }
}
