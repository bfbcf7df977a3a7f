/// Rows in an order, with the memory that they lie in: one value, so that neither goes without the
/// other.
///
/// A row by address is good for as long as its set is there. That is why a set is walked by its own
/// methods, each of which keeps it for as long as it runs, and is no `Sequence`.
@usableFromInline
package struct RowSet: Sendable {
  @usableFromInline var pointers: [RowPointer] = []
  @usableFromInline package internal(set) var memory = RowMemory()

  @inlinable package init() {}

  /// The rows of a reader or builder, all of whose memory is given.
  package init(_ rows: [RowPointer], in memory: RowMemory) {
    pointers = rows
    self.memory = memory
    assert(rows.allSatisfy(memory.holds), "A row lies in memory that nobody keeps.")
  }

  /// A row, or none.
  package init(_ row: HeldRow?) {
    if let row { append(row) }
  }

  @inlinable
  package init(_ rows: some Sequence<HeldRow>) {
    for row in rows { append(row) }
  }

  /// The number of rows.
  @inlinable package var count: Int { pointers.count }

  @inlinable package var isEmpty: Bool { pointers.isEmpty }

  /// The row at a position, which the set must outlive.
  @inlinable
  package subscript(position: Int) -> RowPointer { pointers[position] }

  /// The first row, with a hold on its memory.
  package var first: HeldRow? { withExtendedLifetime(self) { pointers.first?.held } }

  @inlinable
  package mutating func append(_ row: HeldRow) {
    pointers.append(row.row)
    memory.keep(row.block)
  }

  package mutating func append(contentsOf rows: RowSet) {
    pointers += rows.pointers
    memory.keep(rows.memory)
  }
}

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

extension RowSet {
  /// So few rows that looking where each one lies costs nothing.
  private static let few = 1_000

  /// Rows that lie in memory which the caller keeps meanwhile.
  ///
  /// Few rows take a hold on what they need of it; of many that would cost more than it gives, and
  /// they keep it all.
  /// - Parameter memory: Where the rows lie; asked for only if they are many.
  package init(_ rows: [RowPointer], among memory: @autoclosure () -> RowMemory) {
    if rows.count > Self.few {
      self.init(rows, in: memory())
    } else {
      self.init()
      pointers = rows
      for row in rows { self.memory.keep(row) }
    }
  }

  /// The rows that `isIncluded` says yes to, from the one at `offset` among them on.
  /// - Complexity: O(rows) up to the last one that the limit lets in.
  package func filter(
    offset: Int = 0, limit: Int = .max, _ isIncluded: (RowPointer) throws -> Bool
  ) rethrows -> RowSet {
    try withRows { rows in
      var selected: [RowPointer] = []
      var rest = offset
      for row in rows {
        if selected.count >= limit { break }
        guard try isIncluded(row) else { continue }
        if rest > 0 { rest -= 1 } else { selected.append(row) }
      }
      return RowSet(selected, among: memory)
    }
  }

  /// The rows at some positions.
  package subscript(positions: Range<Int>) -> RowSet {
    if positions == pointers.indices { return self }
    return withRows { RowSet(Array($0[positions]), among: memory) }
  }

  /// These rows and others, both of which are in order already, in one order; of equal ones the
  /// others come later.
  package func merged(
    with others: RowSet, by precedes: (RowPointer, RowPointer) throws -> Bool
  ) rethrows -> RowSet {
    var result = RowSet()
    result.pointers.reserveCapacity(count + others.count)
    try withRows { rows in
      try others.withRows { others in
        var rest = others[...]
        for row in rows {
          while let next = rest.first, try precedes(next, row) {
            result.pointers.append(next)
            rest.removeFirst()
          }
          result.pointers.append(row)
        }
        result.pointers += rest
      }
    }
    result.memory = memory
    result.memory.keep(others.memory)
    return result
  }
}
