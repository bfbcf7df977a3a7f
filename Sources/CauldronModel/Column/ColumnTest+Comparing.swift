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
