extension BoundPredicate {
  /// Whether the predicate holds for a row.
  ///
  /// This compiles the predicate anew; for many rows make one `QueryMatcher` or `RowTest`.
  package func matches(_ row: RowPointer) -> Bool {
    RowTest(self).matches(row)
  }
}
