package import CauldronModel
import Foundation

extension RowTest {
  func holds(_ instruction: Instruction, for row: RowPointer) -> Bool {
    let value = instruction.value
    if value.isKey { return integerHolds(instruction.test, for: row.key) }
    if case .isNull = instruction.test { return value.isNil(in: row) }
    if row.isNull(value.index) { return false }
    switch value.form {
    case .integer: return integerHolds(instruction.test, for: row.slot(value.index))
    case .real: return realHolds(instruction.test, for: value.real(in: row))
    case .decimal: return decimalHolds(instruction.test, for: value.decimal(in: row))
    case .bytes: return bytesHold(instruction.test, for: row.bytes(value.index))
    }
  }

  private func integerHolds(_ test: Test, for value: Int64) -> Bool {
    switch test {
    case .integer(let orders, let other): orders.holds(RowValue.order(value, other))
    case .integerAndReal(let orders, let other): orders.holds(RowValue.order(value, other))
    case .integerIn(let set): Self.contains(operands.integers, set, value)
    default: false
    }
  }

  private func realHolds(_ test: Test, for value: Double) -> Bool {
    if value.isNaN { return false }
    return switch test {
    case .real(let orders, let other): orders.holds(RowValue.order(value, other))
    case .realIn(let set): Self.contains(operands.reals, set, value)
    default: false
    }
  }

  private func decimalHolds(_ test: Test, for value: DecimalNumber?) -> Bool {
    guard let value else { return false }
    return switch test {
    case .decimal(let orders, let other):
      orders.holds(RowValue.order(value, operands.decimals[other]))
    case .decimalIn(let set): Self.contains(operands.decimals, set, value)
    default: false
    }
  }

  private func bytesHold(_ test: Test, for value: UnsafeRawBufferPointer) -> Bool {
    operands.bytes.withUnsafeBytes { all in
      switch test {
      case .bytes(let orders, let span): orders.holds(RowValue.order(value, all[span]))
      case .beginsWith(let span):
        value.count >= span.count && Self.equal(value.prefix(span.count), all[span])
      case .endsWith(let span):
        value.count >= span.count && Self.equal(value.suffix(span.count), all[span])
      case .contains(let span): Self.occurs(all[span], in: value)
      case .bytesIn(let set): occursIn(set, value, all)
      default: false
      }
    }
  }

  private static func equal(
    _ a: Slice<UnsafeRawBufferPointer>, _ b: UnsafeRawBufferPointer
  ) -> Bool {
    RowValue.order(UnsafeRawBufferPointer(rebasing: a), b) == 0
  }

  static func occurs(
    _ part: UnsafeRawBufferPointer, in whole: UnsafeRawBufferPointer
  ) -> Bool {
    guard part.count > 0, let needle = part.baseAddress else { return true }
    guard whole.count >= part.count, var start = whole.baseAddress else { return false }
    let last = start + (whole.count - part.count)
    while start <= last, let found = memchr(start, Int32(part[0]), last - start + 1) {
      if memcmp(found, needle, part.count) == 0 { return true }
      start = UnsafeRawPointer(found) + 1
    }
    return false
  }

  private func occursIn(
    _ set: Span, _ value: UnsafeRawBufferPointer, _ all: UnsafeRawBufferPointer
  ) -> Bool {
    Self.search(set) { RowValue.order(all[operands.spans[$0]], value) }
  }

  private static func contains<T: Comparable>(_ sorted: [T], _ set: Span, _ value: T) -> Bool {
    search(set) { RowValue.order(sorted[$0], value) }
  }

  /// Halves a sorted span until `order` answers 0.
  @inline(__always)
  private static func search(_ set: Span, order: (Int) -> Int) -> Bool {
    var low = set.start
    var high = set.start + set.count
    while low < high {
      let middle = (low + high) / 2
      let order = order(middle)
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }
}

extension UnsafeRawBufferPointer {
  fileprivate subscript(span: RowTest.Span) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[span.start..<(span.start + span.count)])
  }
}

extension RowTest {
  /// Appends the rows that the predicate holds for; answers how many it looked at.
  ///
  /// This is what a fetch pays for each row that is pending in an ancestor, so the commonest
  /// condition, one comparison with an integer, has a loop of its own.
  package func select(_ rows: [RowPointer], limit: Int, to result: inout [RowPointer]) -> Int {
    rows.withUnsafeBufferPointer { select($0, limit: limit, to: &result) }
  }

  /// The same for rows that lie in memory.
  package func select(
    _ rows: UnsafeBufferPointer<RowPointer>, limit: Int, to result: inout [RowPointer]
  ) -> Int {
    guard limit > 0, entry != Self.reject else { return 0 }
    return code.withUnsafeBufferPointer { code in
      // Beside a constant both ends may be the same.
      if code.count == 1, entry == 0, case .integer(let orders, let value) = code[0].test,
        code[0].onTrue != code[0].onFalse, !code[0].value.isKey
      {
        let comparison = IntegerComparison(
          index: code[0].value.index, orders: orders, value: value,
          isWanted: code[0].onTrue == Self.accept)
        return select(rows, by: comparison, limit: limit, to: &result)
      }
      return select(rows, by: code, limit: limit, to: &result)
    }
  }

  private func select(
    _ rows: UnsafeBufferPointer<RowPointer>, by code: UnsafeBufferPointer<Instruction>,
    limit: Int, to result: inout [RowPointer]
  ) -> Int {
    var found = 0
    let index = entry >= 0 ? code[Int(entry)].value.index : 0
    for (position, row) in rows.enumerated() {
      rows.prefetch(position, index)
      var next = entry
      while next >= 0 {
        let instruction = code[Int(next)]
        next = holds(instruction, for: row) ? instruction.onTrue : instruction.onFalse
      }
      guard next == Self.accept else { continue }
      result.append(row)
      found += 1
      if found == limit { return position + 1 }
    }
    return rows.count
  }

  /// A predicate that is one comparison of a property with an integer.
  private struct IntegerComparison {
    let index: Int
    let orders: Orders
    let value: Int64
    /// Whether rows are selected for which the comparison holds, and not the others.
    let isWanted: Bool

    @inline(__always)
    func selects(_ row: RowPointer) -> Bool {
      let holds = !row.isNull(index) && orders.holds(RowValue.order(row.slot(index), value))
      return holds == isWanted
    }
  }

  @inline(__always)
  private func select(
    _ rows: UnsafeBufferPointer<RowPointer>, by comparison: IntegerComparison, limit: Int,
    to result: inout [RowPointer]
  ) -> Int {
    var found = 0
    for position in rows.indices {
      rows.prefetch(position, comparison.index)
      let row = rows[position]
      guard comparison.selects(row) else { continue }
      result.append(row)
      found += 1
      if found == limit { return position + 1 }
    }
    return rows.count
  }
}

/// Where a row keeps a value, and how values of its kind compare.
package struct RowValue: Sendable {
  package let index: Int
  package let form: ValueForm.Comparison

  /// Stands for the row's key, which is not among the slots.
  static let key = RowValue(index: -1, form: .integer)

  var isKey: Bool { index < 0 }

  private init(index: Int, form: ValueForm.Comparison) {
    self.index = index
    self.form = form
  }

  /// The value of a property; properties without a column read as nil.
  package init(_ property: PropertyLayout) {
    index = property.index
    form = property.form?.comparison ?? .integer
  }

  /// Whether a row has no value; NaN is none, since stores keep it as nil.
  @inlinable package func isNil(in row: RowPointer) -> Bool {
    if row.isNull(index) { return true }
    switch form {
    case .integer, .bytes: return false
    case .real: return real(in: row).isNaN
    case .decimal: return decimal(in: row) == nil
    }
  }

  @inlinable package func real(in row: RowPointer) -> Double {
    row.real(index)
  }

  /// The number; nil where the text is none.
  @inlinable package func decimal(in row: RowPointer) -> DecimalNumber? {
    row.decimal(index)
  }

  /// Compares the values of two rows, nil before all others: -1, 0 or 1.
  func order(_ a: RowPointer, _ b: RowPointer) -> Int {
    let aIsNil = isNil(in: a)
    let bIsNil = isNil(in: b)
    if aIsNil || bIsNil { return aIsNil == bIsNil ? 0 : (aIsNil ? -1 : 1) }
    switch form {
    case .integer: return Self.order(a.slot(index), b.slot(index))
    case .real: return Self.order(real(in: a), real(in: b))
    case .decimal: return Self.order(decimal(in: a) ?? .zero, decimal(in: b) ?? .zero)
    case .bytes: return Self.order(a.bytes(index), b.bytes(index))
    }
  }

  @inline(__always)
  static func order<T: Comparable>(_ a: T, _ b: T) -> Int {
    a < b ? -1 : (a == b ? 0 : 1)
  }

  /// Compares byte by byte; the shorter one comes first where one begins the other.
  static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let common = min(a.count, b.count)
    if common > 0, let first = a.baseAddress, let second = b.baseAddress {
      let order = memcmp(first, second, common)
      if order != 0 { return order < 0 ? -1 : 1 }
    }
    return order(a.count, b.count)
  }

  /// Compares exactly, also where the integer has more digits than a double; `b` is a number.
  static func order(_ a: Int64, _ b: Double) -> Int {
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = Int64(b)
    return a == whole ? order(Double(whole), b) : order(a, whole)
  }
}
