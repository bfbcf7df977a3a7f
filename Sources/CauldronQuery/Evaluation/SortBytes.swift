package import CauldronModel
import Foundation

/// Values as bytes whose order, byte by byte, is that of the values: so that rows can be ordered by what
/// is not in them without a call for each value.
///
/// The order is ``ScalarOrder``'s: nil first, then numbers, texts and bytes.
package struct SortBytes: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Begins anew, with the room that there is.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Adds a value, behind those that count before it.
  /// - Parameter isDecimal: Whether texts are decimal numbers.
  package mutating func append(_ scalar: AttributeScalar, ascending: Bool, isDecimal: Bool) {
    let start = bytes.count
    if isDecimal, let number = DecimalArithmetic.number(scalar) {
      bytes.append(2)
      append(number)
    } else {
      append(scalar)
    }
    if !ascending { for index in start..<bytes.count { bytes[index] = ~bytes[index] } }
  }

  private mutating func append(_ scalar: AttributeScalar) {
    switch scalar {
    case .null: bytes.append(1)
    case .integer(let number):
      bytes.append(2)
      let nearest = Double(number)
      append(nearest)
      // A real number may be equal to the nearest one; what is left tells the integer from it.
      append(nearest >= 0x1p63 ? number &- .max : number &- Int64(nearest))
    case .real(let number) where number.isNaN: bytes.append(1)
    case .real(let number):
      bytes.append(2)
      append(number)
      append(Int64(0))
    case .text(var text):
      bytes.append(3)
      text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    case .blob(let data):
      bytes.append(4)
      data.withUnsafeBytes { append($0) }
    }
  }

  private mutating func append(_ number: Double) {
    // Zero has two forms.
    let bits = Int64(bitPattern: (number + 0).bitPattern)
    append(bits < 0 ? ~bits ^ .min : bits)
  }

  private mutating func append(_ number: Int64) {
    let bits = UInt64(bitPattern: number) ^ (1 << 63)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  /// Sign, place of the first digit, digits.
  private mutating func append(_ number: DecimalNumber) {
    if number.digits == 0 { return bytes.append(1) }
    let start = bytes.count
    append(Int64(number.magnitude))
    bytes += Array("\(number.digits)".utf8)
    bytes.append(0)
    guard number.isNegative else { return bytes.insert(2, at: start) }
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
    bytes.insert(0, at: start)
  }

  /// Zeros within are told from the end.
  private mutating func append(_ content: UnsafeRawBufferPointer) {
    for byte in content {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
    bytes.append(0)
    bytes.append(0)
  }
}
