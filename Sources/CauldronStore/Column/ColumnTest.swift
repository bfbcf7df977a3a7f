import CauldronModel
import CauldronQuery

/// What a part of a predicate asks of the numbers in a column: that they lie in a range.
struct ColumnTest: Sendable {
  let value: ColumnValue
  /// The range; there is no number in it where the first one is greater.
  private(set) var first = Int64.min
  private(set) var last = Int64.max
  /// Whether it holds for nil, and for nothing else.
  private(set) var isForNil = false

  /// Whether the rows that pass need not be tried again.
  func isExact(in column: ValueColumn) -> Bool {
    value.form != .bytes && !column.isAmbiguous
  }

  /// The range in a column; nil where nothing can lie in it.
  func range(in column: ValueColumn) -> ClosedRange<Int64>? {
    let first = isForNil || column.isAmbiguous ? first : max(first, ColumnValue.none + 1)
    return first <= last ? first...last : nil
  }
}

extension ColumnTest {
  /// The test of a node; nil where columns do not help.
  init?(_ node: BoundPredicate) {
    switch node {
    case .comparison(let property, let comparison, let scalar):
      guard let value = ColumnValue(property) else { return nil }
      self.value = value
      guard compare(comparison, scalar) else { return nil }
    case .isNull(let property):
      // Nobody makes a column of hashes for the sake of nil.
      guard let value = ColumnValue(property), value.form != .bytes else { return nil }
      self.value = value
      limit(to: ColumnValue.none, ColumnValue.none)
      isForNil = true
    case .constant, .text, .isIn, .refersTo, .isSelf, .isAfter, .and, .or, .not, .exists, .compare,
      .search,
      .matches, .member:
      return nil
    }
  }

  /// Keeps of the numbers those from one to another.
  mutating func limit(to first: Int64, _ last: Int64) {
    self.first = max(self.first, first)
    self.last = min(self.last, last)
  }

  /// Keeps no number.
  mutating func limitToNothing() { limit(to: .max, .min) }

  /// The test for both conditions, where one range says it.
  func joined(with other: ColumnTest) -> ColumnTest? {
    guard value.index == other.value.index, !isForNil, !other.isForNil else { return nil }
    var joined = self
    joined.limit(to: other.first, other.last)
    return joined
  }

  /// How many rows it may let pass: fewer where the number is lower.
  var looseness: Int {
    if isForNil { return 2 }
    if first >= last { return 0 }
    return first > .min && last < .max ? 1 : 2
  }
}

extension ColumnTest {
  /// Limits the range to the numbers for which a comparison holds; answers whether it can.
  mutating func compare(
    _ comparison: PredicateNode.ComparisonOperator, _ scalar: AttributeScalar
  ) -> Bool {
    if comparison == .notEqual { return false }
    switch (value.form, scalar) {
    case (.integer, .real(let other)):
      if other.isNaN { return false }
      compareWhole(comparison, other)
    case (.bytes, .text), (.bytes, .blob):
      // Hashes have no order.
      guard comparison == .equal, let number = value.number(scalar) else { return false }
      limit(to: number, number)
    case (.integer, .integer), (.real, .integer), (.real, .real):
      guard let number = value.number(scalar) else { return false }
      compare(comparison, number)
    default: return false
    }
    return true
  }

  private mutating func compare(
    _ comparison: PredicateNode.ComparisonOperator, _ number: Int64
  ) {
    switch comparison {
    case .equal: limit(to: number, number)
    case .less where number == .min, .greater where number == .max: limitToNothing()
    case .less: limit(to: .min, number - 1)
    case .lessOrEqual: limit(to: .min, number)
    case .greater: limit(to: number + 1, .max)
    case .greaterOrEqual: limit(to: number, .max)
    case .notEqual: break
    }
  }

  /// Compares integers with a real, which may lie between two of them or beyond all.
  private mutating func compareWhole(
    _ comparison: PredicateNode.ComparisonOperator, _ other: Double
  ) {
    let isBelow = comparison == .less || comparison == .lessOrEqual
    if other >= 0x1p63 || other < -0x1p63 {
      if isBelow != (other > 0) || comparison == .equal { limitToNothing() }
      return
    }
    let whole = Int64(other.rounded(.down))
    if other == other.rounded(.down) { return compare(comparison, whole) }
    if comparison == .equal { return limitToNothing() }
    compare(isBelow ? .lessOrEqual : .greater, whole)
  }
}

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
