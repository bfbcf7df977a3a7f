import Foundation

extension RowTest {
  func holds(_ instruction: Instruction, _ row: RowPointer) -> Bool {
    let value = instruction.value
    if value.isKey { return integerHolds(instruction.test, row.key) }
    if case .isNull = instruction.test { return value.isNil(in: row) }
    if row.isNull(value.index) { return false }
    switch value.form {
    case .integer: return integerHolds(instruction.test, row.slot(value.index))
    case .real: return realHolds(instruction.test, value.real(in: row))
    case .decimal: return decimalHolds(instruction.test, value.decimal(in: row))
    case .bytes: return bytesHold(instruction.test, row.bytes(value.index))
    }
  }

  private func integerHolds(_ test: Test, _ value: Int64) -> Bool {
    switch test {
    case .integer(let orders, let other): orders.holds(RowValue.order(value, other))
    case .integerAndReal(let orders, let other): orders.holds(RowValue.order(value, other))
    case .integerIn(let set): Self.contains(operands.integers, set, value)
    default: false
    }
  }

  private func realHolds(_ test: Test, _ value: Double) -> Bool {
    if value.isNaN { return false }
    return switch test {
    case .real(let orders, let other): orders.holds(RowValue.order(value, other))
    case .realIn(let set): Self.contains(operands.reals, set, value)
    default: false
    }
  }

  private func decimalHolds(_ test: Test, _ value: DecimalNumber?) -> Bool {
    guard let value else { return false }
    return switch test {
    case .decimal(let orders, let other):
      orders.holds(RowValue.order(value, operands.decimals[other]))
    case .decimalIn(let set): Self.contains(operands.decimals, set, value)
    default: false
    }
  }

  private func bytesHold(_ test: Test, _ value: UnsafeRawBufferPointer) -> Bool {
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
