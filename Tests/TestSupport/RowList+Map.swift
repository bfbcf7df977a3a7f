package import CauldronModel

extension RowList {
  /// What `transform` makes of each row. The rows lie in memory that the list keeps, so it must not
  /// go away before they are read, as it does in `fetch(…).rows.map`.
  package func map<Value>(_ transform: (RowPointer) throws -> Value) rethrows -> [Value] {
    try withExtendedLifetime(self) { try rows.map(transform) }
  }
}
