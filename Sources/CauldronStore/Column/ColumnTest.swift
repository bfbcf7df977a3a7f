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
