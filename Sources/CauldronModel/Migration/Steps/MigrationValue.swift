internal import CCauldron
import Foundation

extension AttributeValue {
  /// The value that a scalar is in a store; nil where it is none of the type.
  package static func value(of scalar: AttributeScalar) -> Self? {
    let storage = attributeType.storage
    switch (storage.form, scalar) {
    case (.integer, .integer(let number)) where storage.integerRange?.contains(number) != false:
      return read(number)
    case (.integer, .real(let number)):
      return Int64(exactly: number).flatMap { value(of: .integer($0)) }
    case (.boolean, .integer(let number)): return read(number == 0 ? 0 : 1)
    case (.real, .real(let number)): return read(Int64(bitPattern: number.bitPattern))
    case (.real, .integer(let number)): return value(of: .real(Double(number)))
    case (.text, .text(let text)): return read(Array(text.utf8))
    case (.decimal, .text(let text)) where DecimalNumber(text) != nil:
      return read(Array(text.utf8))
    case (.decimal, .integer(let number)): return read(Array("\(number)".utf8))
    case (.decimal, .real(let number)) where DecimalNumber("\(number)") != nil:
      return read(Array("\(number)".utf8))
    case (.uuid, .blob(let data)) where data.count == 16: return read([UInt8](data))
    case (.blob, .blob(let data)), (.encoded, .blob(let data)): return read([UInt8](data))
    default: return nil
    }
  }

  private static func read(_ slot: Int64) -> Self {
    withUnsafePointer(to: slot) { _read(slot: slot, row: $0, isNull: false) }
  }

  /// The value that bytes behind a slot stand for.
  private static func read(_ bytes: [UInt8]) -> Self {
    var words = [Int64](repeating: 0, count: 1 + (bytes.count + 7) / 8)
    words.withUnsafeMutableBytes { words in
      UnsafeMutableRawBufferPointer(rebasing: words[8...]).copyBytes(from: bytes)
    }
    words[0] = cauldron_row_pair(8, UInt32(truncatingIfNeeded: bytes.count))
    return words.withUnsafeBufferPointer { words in
      words.baseAddress.map { _read(slot: words[0], row: $0, isNull: false) } ?? read(0)
    }
  }
}

extension PropertyLayout {
  /// The scalar as a store keeps it for the attribute; nil where it can be none of its values.
  func stored(_ scalar: AttributeScalar) -> AttributeScalar? {
    if case .unstorable(let value)? = doubt, scalar == .integer(value.slot) { return nil }
    switch (form, scalar) {
    case (_, .null): return .null
    case (.integer, .integer(let number)):
      return attributeType?.integerRange?.contains(number) == false ? nil : scalar
    case (.integer, .real(let number)):
      return Int64(exactly: number).flatMap { stored(.integer($0)) }
    case (.boolean, .integer(let number)): return (0...1).contains(number) ? scalar : nil
    case (.real, .real(let number)): return real(number)
    case (.real, .integer(let number)): return real(Double(number))
    case (.decimal, .integer(let number)): return .text("\(number)")
    case (.decimal, .real(let number)) where number.isFinite:
      return DecimalNumber("\(number)") == nil ? nil : .text("\(number)")
    case (.decimal, .real): return .null
    case (.decimal, .text(let text)): return DecimalNumber(text) == nil ? nil : scalar
    case (.text, .text), (.blob, .blob), (.encoded, .blob): return scalar
    case (.uuid, .blob(let data)): return data.count == 16 ? scalar : nil
    default: return nil
    }
  }

  private func real(_ number: Double) -> AttributeScalar {
    // No store keeps what is no number.
    if number.isNaN { return .null }
    return .real(attributeType == .float ? Double(Float(number)) : number)
  }
}
