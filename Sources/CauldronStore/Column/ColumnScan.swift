import CauldronModel
import CauldronQuery

/// Searches rows by columns first, so that only those that pass are looked at.
struct ColumnScan {
  private var filters: [ColumnFilter] = []
  /// The test for the rows that pass; nil where the columns tell all.
  private let test: RowTest?

  /// Nil where no row can pass.
  init?(_ found: [(ColumnTest, ValueColumn)], _ test: RowTest, isWhole: Bool) {
    for (test, column) in found {
      guard let range = test.range(in: column) else { return nil }
      filters.append(ColumnFilter(range: range, column: column))
    }
    self.test = isWhole && found.allSatisfy { $0.isExact(in: $1) } ? nil : test
  }

  /// Appends the rows; answers how many were looked at.
  func select(_ rows: [RowPointer], limit: Int, to result: inout [RowPointer]) -> Int {
    var visits = 0
    let end = result.count + min(limit, rows.count)
    rows.withUnsafeBufferPointer { rows in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.stretch) { positions in
        for start in stride(from: 0, to: rows.count, by: Self.stretch) {
          let stretch = start..<min(start + Self.stretch, rows.count)
          let passed = UnsafeBufferPointer(rebasing: positions[..<filter(stretch, into: positions)])
          visits += append(passed, of: rows, end, &result)
          if result.count == end { return }
        }
      }
    }
    return visits
  }

  /// So many rows are filtered at a time.
  private static let stretch = 1_024

  private func append(
    _ passed: UnsafeBufferPointer<Int32>, of rows: UnsafeBufferPointer<RowPointer>,
    _ end: Int, _ result: inout [RowPointer]
  ) -> Int {
    guard let test else {
      for position in passed.prefix(end - result.count) { result.append(rows[Int(position)]) }
      return 0
    }
    return withUnsafeTemporaryAllocation(of: RowPointer.self, capacity: passed.count) { open in
      for (place, position) in passed.enumerated() {
        open.initializeElement(at: place, to: rows[Int(position)])
      }
      return test.select(UnsafeBufferPointer(open), limit: end - result.count, to: &result)
    }
  }

  /// Writes down which rows of a stretch pass all filters; answers how many do.
  private func filter(
    _ stretch: Range<Int>, into positions: UnsafeMutableBufferPointer<Int32>
  ) -> Int {
    var count = filters[0].select(stretch, into: positions)
    for filter in filters.dropFirst() { count = filter.reduce(positions, count: count) }
    return count
  }
}

/// Finds the rows whose numbers in a column lie in a range.
///
/// Nothing here branches on a value, since nobody can guess which rows pass.
struct ColumnFilter {
  let range: ClosedRange<Int64>
  let column: ValueColumn

  /// Writes down the rows of a stretch that lie in the range; answers how many do.
  @inline(__always)
  func select(
    _ stretch: Range<Int>, into positions: UnsafeMutableBufferPointer<Int32>
  ) -> Int {
    column.numbers.withUnsafeBufferPointer { numbers in
      let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
      var count = 0
      for position in stretch {
        positions[count] = Int32(truncatingIfNeeded: position)
        let distance = UInt64(bitPattern: numbers[position] &- range.lowerBound)
        count += distance <= width ? 1 : 0
      }
      return count
    }
  }

  /// Keeps of the rows that were written down those that lie in the range.
  @inline(__always)
  func reduce(_ positions: UnsafeMutableBufferPointer<Int32>, count: Int) -> Int {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    return column.numbers.withUnsafeBufferPointer { numbers in
      var kept = 0
      for position in positions[..<count] {
        positions[kept] = position
        let distance = UInt64(bitPattern: numbers[Int(position)] &- range.lowerBound)
        kept += distance <= width ? 1 : 0
      }
      return kept
    }
  }
}
