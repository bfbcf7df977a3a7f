package import CauldronModel
import Foundation

/// How two values compare: one rule for conditions, orders and groups.
package enum ScalarOrder {
  /// Whether a comparison holds; with nil only `equal` with nil, and `notEqual` with all else.
  package static func holds(
    _ a: AttributeScalar, _ comparison: PredicateNode.ComparisonOperator, _ b: AttributeScalar,
    isDecimal: Bool = false
  ) -> Bool {
    if a.isNull || b.isNull {
      switch comparison {
      case .equal: return a.isNull && b.isNull
      case .notEqual: return a.isNull != b.isNull
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return false
      }
    }
    let order = order(a, b, isDecimal: isDecimal)
    return switch comparison {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// -1, 0 or 1; nil comes first, and numbers come before text and bytes.
  package static func order(
    _ a: AttributeScalar, _ b: AttributeScalar, isDecimal: Bool = false
  ) -> Int {
    switch (a, b) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.integer(let a), .integer(let b)): return RowValue.order(a, b)
    case (.real(let a), .real(let b)): return RowValue.order(a, b)
    case (.integer(let a), .real(let b)): return RowValue.order(a, b)
    case (.real(let a), .integer(let b)): return -RowValue.order(b, a)
    case (.text(let a), .text(let b)):
      if isDecimal { return RowValue.order(decimal(a), decimal(b)) }
      return order(a, b)
    case (.text(let a), .integer(let b)) where isDecimal:
      return RowValue.order(decimal(a), DecimalNumber(b))
    case (.text(let a), .real(let b)) where isDecimal: return order(decimal: a, b)
    case (.integer, .text) where isDecimal, (.real, .text) where isDecimal:
      return -order(b, a, isDecimal: true)
    case (.blob(let a), .blob(let b)):
      return a.withUnsafeBytes { a in b.withUnsafeBytes { b in RowValue.order(a, b) } }
    default: return RowValue.order(a.rank, b.rank)
    }
  }

  /// A decimal is an integer or a real where it is stored.
  private static func order(decimal text: String, _ other: Double) -> Int {
    let number = decimal(text)
    if let whole = number.whole { return RowValue.order(whole, other) }
    return RowValue.order(number.double, other)
  }

  /// The number that a text is; 0 for what is none.
  private static func decimal(_ text: String) -> DecimalNumber { DecimalNumber(text) ?? .zero }

  /// Byte by byte.
  private static func order(_ a: String, _ b: String) -> Int {
    var a = a
    var b = b
    return a.withUTF8 { a in
      b.withUTF8 { b in
        RowValue.order(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
      }
    }
  }

  /// Whether a text contains another one, byte by byte.
  static func contains(_ text: String, _ part: String) -> Bool {
    var text = text
    var part = part
    return text.withUTF8 { text in
      part.withUTF8 { part in
        contains(UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(part))
      }
    }
  }

  /// Whether bytes contain others.
  package static func contains(
    _ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer
  ) -> Bool {
    RowTest.occurs(part, in: text)
  }

  /// Values in which others are looked up; numbers are told by what they are worth.
  struct Members {
    private let values: Set<AttributeScalar>
    private let isDecimal: Bool

    init(_ values: Set<AttributeScalar>, isDecimal: Bool) {
      self.isDecimal = isDecimal
      self.values = Set(values.map { Self.plain($0, isDecimal: isDecimal) })
    }

    func contains(_ value: AttributeScalar) -> Bool {
      !value.isNull && values.contains(Self.plain(value, isDecimal: isDecimal))
    }

    private static func plain(_ value: AttributeScalar, isDecimal: Bool) -> AttributeScalar {
      switch value {
      case .real(let number): Int64(exactly: number).map { .integer($0) } ?? value
      case .text(let text) where isDecimal: .text(DecimalNumber(text)?.description ?? text)
      default: value
      }
    }
  }
}

extension AttributeScalar {
  fileprivate var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}

extension ScalarOrder {
  /// A decimal in one spelling; nil where the text is none.
  static func spelt(_ text: String) -> AttributeScalar {
    DecimalNumber(text).map { .text($0.description) } ?? .null
  }
}
