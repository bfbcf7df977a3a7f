public import CauldronGraph
import CauldronModel
public import CauldronSave

extension ObjectQuery {
  /// Changes all objects of the query at once: in one transaction, over the committed rows, without
  /// hooks.
  ///
  /// ```swift
  /// try Person.where(\.age > 99).batchUpdate(in: context) { $0.isOld.set(true); $0.age.set($0.age + 1) }
  /// // UPDATE ZPERSON SET ZISOLD = 1, ZAGE = ZAGE + 1, Z_OPT = Z_OPT + 1 WHERE ZAGE > 99
  /// ```
  /// Unsaved changes do not decide which objects are changed. An unsaved edit of the same property
  /// meets a conflict when it is saved; edits of other properties go together.
  /// - Parameters:
  ///   - returningIDs: Whether the summary names the objects; false by default.
  ///   - context: The context: its store is written, and it shows the new values at return.
  ///     Contexts that merge changes from their parent show them at their next event.
  ///   - change: Is called once, and says what is set.
  /// - Throws: `query.…`, `validation.…`, `save.constraint`, `store.…`; then nothing is written.
  /// - Complexity: One statement, unless a relationship is set, a value follows one, a calculated one has a rule,
  ///   or something is refused: then the rows are read, and written one by one.
  @discardableResult
  public func batchUpdate(
    returningIDs: Bool = false, in context: some ObjectContext,
    _ change: (BatchChange<Object>) -> Void
  ) throws -> BatchSummary {
    let made = BatchChange<Object>()
    change(made)
    return try context.managedObjectContext.batchUpdate(
      request, made.assignments, returningIDs: returningIDs)
  }

  /// Changes all objects of the query at once, in the background; see
  /// ``batchUpdate(returningIDs:in:_:)``.
  ///
  /// ```swift
  /// try await Person.where(\.age > 99).batchUpdate { $0.isOld.set(true); $0.age.set($0.age + 1) }
  /// ```
  /// - Parameters:
  ///   - returningIDs: Whether the summary names the objects.
  ///   - stack: Whose store; nil for the default one.
  ///   - change: Sets the values, once for all objects.
  @discardableResult
  public func batchUpdate(
    returningIDs: Bool = false, in stack: Stack? = nil,
    _ change: @Sendable (BatchChange<Object>) -> Void
  ) async throws -> BatchSummary {
    let made = BatchChange<Object>()
    change(made)
    let (request, assignments) = (request, made.assignments)
    return try await (stack ?? .default).batch {
      try $0.batchUpdate(request, assignments, returningIDs: returningIDs)
    }
  }

  /// Deletes all objects of the query at once: in one transaction, over what is committed, with the
  /// delete rules and without hooks.
  ///
  /// ```swift
  /// try Person.where(\.isOld).batchDelete(in: context)
  /// ```
  /// - Parameters: As for ``batchUpdate(returningIDs:in:_:)``.
  /// - Throws: `validation.denied` where a relationship denies a deletion; `validation.missing` where a
  ///   required reference would be cleared; `query.…`, `store.…`. Then nothing is deleted.
  /// - Complexity: A statement for each relationship of the objects, and O(deleted objects).
  @discardableResult
  public func batchDelete(
    returningIDs: Bool = false, in context: some ObjectContext
  ) throws -> BatchSummary {
    try context.managedObjectContext.batchDelete(request, returningIDs: returningIDs)
  }

  /// Deletes all objects of the query at once, in the background; see ``batchDelete(returningIDs:in:)``.
  /// - Parameters:
  ///   - returningIDs: Whether the summary names the objects.
  ///   - stack: Whose store; nil for the default one.
  @discardableResult
  public func batchDelete(
    returningIDs: Bool = false, in stack: Stack? = nil
  ) async throws -> BatchSummary {
    let request = request
    return try await (stack ?? .default).batch {
      try $0.batchDelete(request, returningIDs: returningIDs)
    }
  }
}

extension Stack {
  /// Runs a batch in the background.
  func batch(
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> BatchSummary
  ) async throws -> BatchSummary {
    try Task.checkCancellation()
    let context = ManagedObjectContext(.private, coordinator: coordinator, name: "Batch")
    return try await context.perform { try body($0.context) }
  }
}
