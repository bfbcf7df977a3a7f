/// Finds the rows whose numbers in a column lie in a range.
///
/// Nothing here branches on a value, since nobody can guess which rows pass.
struct ColumnFilter {
  let range: ClosedRange<Int64>
  let column: ValueColumn

  /// Writes down the rows of a stretch that lie in the range; answers how many do.
  @inline(__always)
  func select(
    _ stretch: Range<Int>, _ positions: UnsafeMutableBufferPointer<Int32>
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
  func reduce(_ positions: UnsafeMutableBufferPointer<Int32>, _ count: Int) -> Int {
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
