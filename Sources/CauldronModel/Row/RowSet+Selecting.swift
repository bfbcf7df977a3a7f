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
