import CauldronModel
import Foundation

/// A value as the judge knows it.
enum Cell: Hashable {
  case nothing
  case whole(Int64)
  case real(Double)
  case exact(Decimal)
  /// The bytes of a text.
  case text([UInt8])
  case bytes([UInt8])
  case object(ManagedObjectID)

  init(_ scalar: AttributeScalar, isDecimal: Bool = false) {
    switch scalar {
    case .null: self = .nothing
    case .integer(let value): self = .whole(value)
    case .real(let value): self = value.isNaN ? .nothing : .real(value)
    case .text(let text) where isDecimal:
      self = Decimal(string: text).map { .exact($0) } ?? .nothing
    case .text(let text): self = .text(Array(text.utf8))
    case .blob(let data): self = .bytes(Array(data))
    }
  }

  init(_ text: String) { self = .text(Array(text.utf8)) }

  var string: String? {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// What equal values have in common: a number is the same as a real, as an integer or in digits.
  var plain: Cell {
    switch self {
    case .real(let value) where Int64(exactly: value) != nil: .whole(Int64(value))
    default: self
    }
  }

  /// A number as a decimal where it is compared with one.
  var inDigits: Cell {
    switch self {
    case .whole(let value): .exact(Decimal(value))
    case .real(let value): Decimal(string: "\(value)").map { .exact($0) } ?? self
    case .text: string.flatMap { Decimal(string: $0) }.map { .exact($0) } ?? self
    default: self
    }
  }

  /// -1, 0 or 1; nothing comes first.
  static func order(_ a: Cell, _ b: Cell) -> Int {
    switch (a, b) {
    case (.nothing, .nothing): return 0
    case (.nothing, _): return -1
    case (_, .nothing): return 1
    case (.whole(let a), .whole(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.real(let a), .real(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.whole(let a), .real(let b)): return order(a, b)
    case (.real(let a), .whole(let b)): return -order(b, a)
    case (.exact(let a), .exact(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.text(let a), .text(let b)), (.bytes(let a), .bytes(let b)):
      return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    case (.object(let a), .object(let b)): return a.key == b.key ? 0 : a.key < b.key ? -1 : 1
    default: preconditionFailure("\(a) is never compared with \(b)")
    }
  }

  /// Exact: the real is between two integers, or beyond all of them.
  private static func order(_ a: Int64, _ b: Double) -> Int {
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let floor = Int64(b.rounded(.down))
    if a != floor { return a < floor ? -1 : 1 }
    return b > b.rounded(.down) ? -1 : 0
  }
}
