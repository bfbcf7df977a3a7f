import Foundation

extension RowPointer {
  /// A property's value in the form that predicates and programs take.
  package func scalar(_ index: Int, _ storage: StorageClass) -> AttributeScalar {
    if isNull(index) { return .null }
    switch storage {
    case .integer: return .integer(slot(index))
    case .real: return .real(Double(bitPattern: UInt64(bitPattern: slot(index))))
    case .text: return .text(String(decoding: bytes(index), as: UTF8.self))
    case .blob: return .blob(Data(bytes(index)))
    }
  }
}
