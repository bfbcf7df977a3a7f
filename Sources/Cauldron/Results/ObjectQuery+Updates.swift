public import CauldronGraph

extension ObjectQuery {
  /// The states of the list of the query's objects in a context, one after the other, each when it is asked
  /// for.
  ///
  /// ```swift
  /// for try await update in Person.where(\.age >= 18).sorted(by: \.name).updates(in: context) {
  ///   draw(update.snapshot, update.difference)
  /// }
  /// ```
  /// - Parameter sectionBy: What divides the list; nothing by default.
  public func updates(
    in context: ManagedObjectContext, sectionBy section: SectionKey<Object>? = nil
  ) -> FetchedResultsUpdates<Object> {
    context.updates(for: request, sectionBy: section)
  }

  /// The states of the list of the query's objects in the default context.
  @MainActor
  public func updates(
    sectionBy section: SectionKey<Object>? = nil
  ) -> FetchedResultsUpdates<Object> { updates(in: .default, sectionBy: section) }

  /// How many objects there are in a context, in the window: now, and whenever that changes.
  ///
  /// ```swift
  /// for try await n in Message.where(\.isRead == false).counts(in: context) { badge(n) }
  /// ```
  public func counts(in context: ManagedObjectContext) -> FetchedResultsCounts<Object> {
    context.counts(for: request)
  }

  /// How many objects there are in the default context, in the window: now, and whenever that changes.
  @MainActor
  public func counts() -> FetchedResultsCounts<Object> { counts(in: .default) }
}
