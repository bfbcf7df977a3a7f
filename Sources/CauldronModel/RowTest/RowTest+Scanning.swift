extension RowTest {
  /// Appends the rows that the predicate holds for; answers how many it looked at.
  ///
  /// This is what a fetch pays for each row that is pending in an ancestor, so the commonest
  /// condition, one comparison with an integer, has a loop of its own.
  func select(_ rows: [RowPointer], limit: Int, to result: inout [RowPointer]) -> Int {
    guard limit > 0, entry != Self.reject else { return 0 }
    return rows.withUnsafeBufferPointer { rows in
      code.withUnsafeBufferPointer { code in
        // Beside a constant both ends may be the same.
        if code.count == 1, entry == 0, case .integer(let orders, let value) = code[0].test,
          code[0].onTrue != code[0].onFalse, !code[0].value.isKey
        {
          let isWanted = code[0].onTrue == Self.accept
          return select(rows, code[0].value.index, orders, value, isWanted, limit, &result)
        }
        return select(rows, code, limit, &result)
      }
    }
  }

  private func select(
    _ rows: UnsafeBufferPointer<RowPointer>, _ code: UnsafeBufferPointer<Instruction>,
    _ limit: Int, _ result: inout [RowPointer]
  ) -> Int {
    var found = 0
    let index = entry >= 0 ? code[Int(entry)].value.index : 0
    for (position, row) in rows.enumerated() {
      rows.prefetch(position, index)
      var next = entry
      while next >= 0 {
        let instruction = code[Int(next)]
        next = holds(instruction, row) ? instruction.onTrue : instruction.onFalse
      }
      guard next == Self.accept else { continue }
      result.append(row)
      found += 1
      if found == limit { return position + 1 }
    }
    return rows.count
  }

  @inline(__always)
  private func select(
    _ rows: UnsafeBufferPointer<RowPointer>, _ index: Int, _ orders: Orders, _ value: Int64,
    _ isWanted: Bool, _ limit: Int, _ result: inout [RowPointer]
  ) -> Int {
    var found = 0
    for position in rows.indices {
      rows.prefetch(position, index)
      let row = rows[position]
      let holds = !row.isNull(index) && orders.holds(RowValue.order(row.slot(index), value))
      guard holds == isWanted else { continue }
      result.append(row)
      found += 1
      if found == limit { return position + 1 }
    }
    return rows.count
  }
}
