import Foundation

extension AttributeValue {
  /// The value in the form that predicates and stores take.
  public var scalar: AttributeScalar {
    if _isNull { return .null }
    switch Self.attributeType.storageClass {
    case .integer: return .integer(_slot)
    case .real: return .real(Double(bitPattern: UInt64(bitPattern: _slot)))
    case .text: return .text(_withBytes { String(decoding: $0, as: UTF8.self) })
    case .blob: return .blob(_withBytes { Data($0) })
    }
  }
}
