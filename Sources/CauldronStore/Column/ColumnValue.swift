import CauldronModel
import CauldronQuery
import Foundation

/// Turns the values of a property into numbers.
///
/// Numbers and dates keep their order. For texts and bytes the number is a hash: equal values have
/// equal numbers, and so have some others.
struct ColumnValue: Sendable {
  let index: Int
  let form: Form

  enum Form: Sendable {
    case integer
    case real
    case bytes
  }

  /// Stands for nil, and for NaN, which counts as nil. Only the least integer has it, too.
  static let none = Int64.min

  /// Nil for decimals, which are no numbers of a fixed size.
  init?(_ property: PropertyLayout) {
    let value = RowValue(property)
    index = value.index
    switch value.form {
    case .integer: form = .integer
    case .real: form = .real
    case .bytes: form = .bytes
    case .decimal: return nil
    }
  }

  /// The number of a value that rows are compared with; nil where no row's value is equal to it.
  func number(_ scalar: AttributeScalar) -> Int64? {
    switch (form, scalar) {
    case (.integer, .integer(let value)): value
    case (.integer, .real(let value)): Int64(exactly: value)
    case (.real, .integer(let value)): Self.number(Double(value))
    case (.real, .real(let value)): value.isNaN ? nil : Self.number(value)
    case (.bytes, .text(var text)): text.withUTF8 { Self.number(UnsafeRawBufferPointer($0)) }
    case (.bytes, .blob(let data)): data.withUnsafeBytes { Self.number($0) }
    default: nil
    }
  }

  /// Numbers are in the order of the reals; zero and minus zero are one.
  @inline(__always)
  static func number(_ value: Double) -> Int64 {
    if value.isNaN { return none }
    let bits = value == 0 ? 0 : Int64(bitPattern: value.bitPattern)
    return bits < 0 ? bits ^ .max : bits
  }

  /// Long values are hashed by their two ends, since a column has them all hashed.
  static func number(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    let end = 64
    guard bytes.count > 2 * end else { return number(hash: HashedValue.hash(bytes)) }
    let first = HashedValue.hash(UnsafeRawBufferPointer(rebasing: bytes.prefix(end)))
    let last = HashedValue.hash(UnsafeRawBufferPointer(rebasing: bytes.suffix(end)))
    return number(hash: first &+ last &* 31 &+ UInt64(bytes.count))
  }

  private static func number(hash: UInt64) -> Int64 {
    let number = Int64(bitPattern: hash)
    return number == none ? 0 : number
  }
}
