import Foundation

extension RowTest {
  /// The test for membership in a set.
  mutating func membership(_ property: PropertyLayout, _ values: Set<AttributeScalar>) -> Test {
    switch RowValue(property).form {
    case .integer:
      return .integerIn(span(Set(values.compactMap(Self.integer))))
    case .real:
      let start = operands.reals.count
      operands.reals += Set(values.compactMap(Self.real)).sorted()
      return .realIn(Span(start: start, count: operands.reals.count - start))
    case .decimal:
      let start = operands.decimals.count
      operands.decimals += Set(values.compactMap(Self.decimal)).sorted()
      return .decimalIn(Span(start: start, count: operands.decimals.count - start))
    case .bytes:
      let all = values.compactMap(Self.bytes).sorted { $0.lexicographicallyPrecedes($1) }
      let spans = all.map { span($0) }
      let start = operands.spans.count
      operands.spans += spans
      return .bytesIn(Span(start: start, count: spans.count))
    }
  }

  mutating func span(_ keys: Set<Int64>) -> Span {
    let start = operands.integers.count
    operands.integers += keys.sorted()
    return Span(start: start, count: keys.count)
  }

  mutating func span(_ bytes: [UInt8]) -> Span {
    let start = operands.bytes.count
    operands.bytes += bytes
    return Span(start: start, count: bytes.count)
  }

  private static func integer(_ scalar: AttributeScalar) -> Int64? {
    switch scalar {
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    case .null, .text, .blob: nil
    }
  }

  private static func real(_ scalar: AttributeScalar) -> Double? {
    switch scalar {
    case .integer(let value): Double(value)
    case .real(let value): value.isNaN ? nil : value
    case .null, .text, .blob: nil
    }
  }

  private static func decimal(_ scalar: AttributeScalar) -> DecimalNumber? {
    if case .text(let text) = scalar { DecimalNumber(text) } else { nil }
  }

  private static func bytes(_ scalar: AttributeScalar) -> [UInt8]? {
    switch scalar {
    case .text(let text): Array(text.utf8)
    case .blob(let data): Array(data)
    case .null, .integer, .real: nil
    }
  }
}
