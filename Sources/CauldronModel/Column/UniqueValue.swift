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
