public import CauldronGraph
import CauldronModel

extension ObjectQuery {
  /// How the store answers the query: its SQL, SQLite's plan, and the index that is missing, in the words
  /// of the class.
  ///
  /// ```swift
  /// print(try Person.where(\.city == "Oslo").explain(in: context))
  /// // SELECT * FROM ZPERSON WHERE ZCITY = ?
  /// // SCAN ZPERSON
  /// // Missing: @Attribute(.indexed) var city in Person, or #Index<Person>([\.city]).
  /// ```
  /// Nothing is read, and unsaved changes are left out of account.
  /// - Throws: `query.…`, `store.…`.
  public func explain(in context: some ObjectContext) throws -> QueryExplanation {
    try context.managedObjectContext.explain(request)
  }

  /// How the default stack's store answers the query; see ``explain(in:)``.
  @MainActor
  public func explain() throws -> QueryExplanation {
    try explain(in: ManagedObjectContext.default)
  }
}
