import Foundation

extension RowPointer {
  /// Whether a property has the same value in both rows.
  package func isEqual(_ index: Int, to other: RowPointer, _ storage: StorageClass) -> Bool {
    guard isNull(index) == other.isNull(index) else { return false }
    if isNull(index) { return true }
    switch storage {
    case .integer, .real:
      return slot(index) == other.slot(index)
    case .text, .blob:
      let mine = bytes(index)
      let theirs = other.bytes(index)
      guard mine.count == theirs.count else { return false }
      guard mine.count > 0, let a = mine.baseAddress, let b = theirs.baseAddress else {
        return true
      }
      return memcmp(a, b, mine.count) == 0
    }
  }

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
