public import Foundation

extension Date: AttributeValue {
  public static var attributeType: AttributeType { .date }
  public var _isNaN: Bool { timeIntervalSinceReferenceDate.isNaN }
  public var _slot: Int64 { Int64(bitPattern: timeIntervalSinceReferenceDate.bitPattern) }
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(bitPattern: slot)))
  }
}

extension Data: AttributeValue {
  public static var attributeType: AttributeType { .binary }
  public static var _isInline: Bool { false }
  public func _withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(body)
  }
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Data {
    Data(_slotBytes(slot, in: row))
  }
}

extension UUID: AttributeValue {
  public static var attributeType: AttributeType { .uuid }
  public static var _isInline: Bool { false }
  public func _withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeBytes(of: uuid, body)
  }
  /// The UUID in a slot; all zeros where the slot does not hold 16 bytes.
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> UUID {
    let bytes = _slotBytes(slot, in: row)
    guard bytes.count == 16 else {
      return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}
