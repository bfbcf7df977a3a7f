import Foundation

extension RowPointer {
  /// The number in a slot of that form.
  @inlinable @inline(__always) package func real(_ index: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: slot(index)))
  }

  /// The decimal number that a property's text spells; nil where it spells none.
  func decimal(_ index: Int) -> DecimalNumber? {
    DecimalNumber(bytes: bytes(index))
  }

  /// A property's value in the form that predicates and programs take.
  package func scalar(_ index: Int, _ storage: StorageClass) -> AttributeScalar {
    if isNull(index) { return .null }
    switch storage {
    case .integer: return .integer(slot(index))
    case .real: return .real(real(index))
    case .text: return .text(String(decoding: bytes(index), as: UTF8.self))
    case .blob: return .blob(Data(bytes(index)))
    }
  }
}
