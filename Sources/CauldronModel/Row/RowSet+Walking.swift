extension RowSet {
  /// Calls `body` with the rows, which are kept meanwhile.
  @inlinable
  package func withRows<R>(_ body: (UnsafeBufferPointer<RowPointer>) throws -> R) rethrows -> R {
    try withExtendedLifetime(self) { try pointers.withUnsafeBufferPointer(body) }
  }

  /// Writes the values of a property in all rows to memory, so many bytes apart.
  package func fill<Value: AttributeValue>(
    _ memory: UnsafeMutableRawPointer, stride: Int, _ index: Int, _ type: Value.Type
  ) {
    withRows { rows in
      rows.withMemoryRebound(to: _Row.self) {
        Value._fill(memory, stride: stride, index, of: $0)
      }
    }
  }

  /// The same with the rows by key; the first one where a key comes twice.
  package func withRowsByKey<R>(_ body: ([Int64: RowPointer]) throws -> R) rethrows -> R {
    try withRows { rows in
      try body(Dictionary(rows.lazy.map { ($0.key, $0) }) { first, _ in first })
    }
  }

  /// Calls `body` with each row.
  @inlinable
  package func walk(_ body: (RowPointer) throws -> Void) rethrows {
    try withRows { rows in
      for row in rows { try body(row) }
    }
  }

  /// What `transform` makes of each row; no row may be in it without a hold on its memory.
  @inlinable
  package func map<Value>(_ transform: (RowPointer) throws -> Value) rethrows -> [Value] {
    try withRows { try $0.map(transform) }
  }

  /// How many rows `isCounted` says yes to.
  package func count(where isCounted: (RowPointer) throws -> Bool) rethrows -> Int {
    try withRows { rows in
      try rows.reduce(0) { try isCounted($1) ? $0 + 1 : $0 }
    }
  }

  /// The IDs of the rows.
  package func ids(_ storeNumber: Int32) -> [ManagedObjectID] {
    map {
      ManagedObjectID(key: $0.key, entityNumber: $0.entityNumber, storeNumber: storeNumber)
    }
  }
}
