public import Foundation

extension String: AttributeValue {
  public static var attributeType: AttributeType { .string }
  @inlinable public static var _isInline: Bool { false }
  @inlinable
  public func _withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    var copy = self
    return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
  @inlinable
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> String {
    String(decoding: _slotBytes(slot, in: row), as: UTF8.self)
  }
}

extension URL: AttributeValue {
  public static var attributeType: AttributeType { .uri }
  public static var _isInline: Bool { false }
  public func _withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    absoluteString._withBytes(body)
  }
  /// The URL in a slot; `file:///dev/null` stands for one that cannot be parsed or was never set.
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> URL {
    URL(string: String._read(slot: slot, row: row, isNull: isNull)) ?? blank
  }
  private static let blank = URL(filePath: "/dev/null")
}

extension Decimal: AttributeValue {
  public static var attributeType: AttributeType { .decimal }
  public static var _isInline: Bool { false }
  public func _withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    description._withBytes(body)
  }
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Decimal {
    Decimal(string: String._read(slot: slot, row: row, isNull: isNull)) ?? 0
  }
}
