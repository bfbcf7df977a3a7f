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
    _decodeText(_slotBytes(slot, in: row))
  }
}

/// The string in UTF-8 bytes; what is no UTF-8 is replaced.
///
/// Out of line, and declared to release nothing that the caller holds: so a property access does
/// not retain and release its object around it, which would cost as much as a short string.
@inline(never) @_effects(releasenone)
public func _decodeText(_ bytes: UnsafeRawBufferPointer) -> String {
  // A buffer of bytes takes a shorter way into a string than a raw one.
  let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
  return String(decoding: UnsafeBufferPointer(start: start, count: bytes.count), as: UTF8.self)
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
  public var _isNaN: Bool { isNaN }
  public static var _isInline: Bool { false }
  public func _withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    description._withBytes(body)
  }
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Decimal {
    let text = String._read(slot: slot, row: row, isNull: isNull)
    // Foundation reads no "1e+128", which is how SQLite writes ten times the largest power of ten.
    return Decimal(string: text) ?? DecimalNumber(text)?.decimal ?? 0
  }
}
