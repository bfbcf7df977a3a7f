package import CauldronModel
import CauldronQuery
import Foundation

/// Reads what a unique key compares, as the index in the store does.
package struct UniqueValue: Sendable {
  package let key: UniqueKey
  /// Whether the values say all that the properties are: decimals may be spelt in several ways.
  package let isExact: Bool
  private let parts: [Part]

  private struct Part: Sendable {
    let value: RowValue
    let storage: StorageClass
    /// Nil for decimals, which may be spelt in several ways.
    let hashed: HashedValue?

    /// The same number for one value, however it is spelt.
    func decimalHash(_ row: RowPointer) -> UInt64? {
      var text = value.decimal(in: row)?.description
      return text?.withUTF8 { HashedValue.hash(UnsafeRawBufferPointer($0)) }
    }
  }

  package init(_ key: UniqueKey) {
    self.key = key
    isExact = key.properties.allSatisfy { $0.attributeType.map { $0 != .decimal } ?? false }
    parts = key.properties.compactMap { property in
      property.storageClass.map {
        Part(value: RowValue(property), storage: $0, hashed: HashedValue(property))
      }
    }
  }

  /// The values of a row; nil where one of them is nil, because that is equal to nothing.
  package func values(of row: RowPointer) -> [AttributeScalar]? {
    var values: [AttributeScalar] = []
    for part in parts {
      if part.value.isNil(in: row) { return nil }
      switch part.value.form {
      case .decimal: values.append(.text((part.value.decimal(in: row) ?? .zero).description))
      case .integer, .real, .bytes: values.append(row.scalar(part.value.index, part.storage))
      }
    }
    return values
  }

  /// A number that is equal where the values are; nil where one of them is nil.
  package func hash(_ row: RowPointer) -> UInt64? {
    var hash: UInt64 = 0
    for part in parts {
      if part.value.isNil(in: row) { return nil }
      guard let number = part.hashed.map({ $0.hash(row) }) ?? part.decimalHash(row) else {
        return nil
      }
      hash = (hash &* 31) ^ number
    }
    return hash
  }
}

/// The values of a unique key in a hierarchy, which one row at most has.
package struct UniqueValues: Hashable, Sendable {
  /// The number of the root entity.
  package let root: Int32
  /// The key's number in the hierarchy.
  private let number: Int32
  /// Mostly there is one, and then nothing is allocated for it.
  private let first: AttributeScalar
  private let others: [AttributeScalar]

  package init(_ values: [AttributeScalar], of key: UniqueKey, in entity: EntityLayout) {
    root = entity.rootNumber
    number = Int32(key.number)
    first = values.first ?? .null
    others = Array(values.dropFirst())
  }

  /// The key's number in the hierarchy.
  package var key: Int { Int(number) }
  package var all: [AttributeScalar] { [first] + others }
}

/// Computes numbers that are equal where the values of a property are.
struct HashedValue: Sendable {
  let index: Int
  private let form: ValueForm.Comparison

  /// Nil for decimals, which may be spelt in several ways.
  init?(_ property: PropertyLayout) {
    let value = RowValue(property)
    if case .decimal = value.form { return nil }
    index = value.index
    form = value.form
  }

  /// The number for a row's value; nil where it has none.
  @inline(__always)
  func hash(_ row: RowPointer) -> UInt64? {
    if row.isNull(index) { return nil }
    switch form {
    case .integer: return Self.mix(UInt64(bitPattern: row.slot(index)))
    case .real: return Self.hash(row.real(index))
    case .bytes: return Self.hash(row.bytes(index))
    case .decimal: return nil
    }
  }

  /// The number for a value that rows are compared with; nil where it is equal to none.
  func hash(_ scalar: AttributeScalar) -> UInt64? {
    switch (form, scalar) {
    case (.integer, .integer(let value)): return Self.mix(UInt64(bitPattern: value))
    case (.integer, .real(let value)):
      return Int64(exactly: value).map { Self.mix(UInt64(bitPattern: $0)) }
    case (.real, .integer(let value)): return Self.hash(Double(value))
    case (.real, .real(let value)): return Self.hash(value)
    case (.bytes, .text(var text)): return text.withUTF8 { Self.hash(UnsafeRawBufferPointer($0)) }
    case (.bytes, .blob(let data)): return data.withUnsafeBytes { Self.hash($0) }
    default: return nil
    }
  }

  /// Zero and minus zero are equal; NaN is no value.
  private static func hash(_ value: Double) -> UInt64? {
    value.isNaN ? nil : mix(value == 0 ? 0 : value.bitPattern)
  }

  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    for byte in bytes[offset...] { rest = rest << 8 | UInt64(byte) }
    return mix(hash ^ rest)
  }

  /// Spreads a number over all bits.
  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    var value = (value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
    return value
  }
}
