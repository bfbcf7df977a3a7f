extension QueryMatcher {
  /// Appends the inserted rows that the predicate holds for, where they are of the query's entities.
  /// - Parameter limit: The most rows to append.
  package func select(
    insertedBy changes: EntityChanges, limit: Int = .max, to result: inout [RowPointer]
  ) {
    if let predicate, let test {
      return changes.select(predicate, test, limit: limit, to: &result)
    }
    result += changes.inserted.prefix(limit)
  }
}
