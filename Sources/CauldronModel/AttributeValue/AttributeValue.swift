public import CCauldron

/// A type that an attribute can have without conversion: the built-in types and their optionals.
///
/// Enumerations and `Codable` types need no conformance; the macros convert them.
/// - Note: The underscored requirements serve generated code; do not implement them yourself.
public protocol AttributeValue: Sendable {
  /// What values are compared as: types that have it in common can be compared in a query.
  associatedtype _Comparand = Self
  /// The attribute type that a property of this type gets.
  static var attributeType: AttributeType { get }
  /// Whether nil is a value of the type.
  static var _isOptional: Bool { get }
  /// What stands for the values that no store can keep; nil where every value can be kept.
  static var _unstorable: _Unstorable? { get }
  /// Whether the value lives in its slot; otherwise its bytes lie behind the slots.
  static var _isInline: Bool { get }
  /// Whether this value is nil.
  var _isNull: Bool { get }
  /// Whether this value is no number, which stores keep as nil.
  var _isNaN: Bool { get }
  /// The slot's content, for inline types.
  var _slot: Int64 { get }
  /// Lends the value's bytes, for the other types.
  func _withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R
  /// The value in a slot; never traps, whatever the slot holds.
  static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Self
  /// Writes the values of a property in many rows to memory, so many bytes apart; a requirement, so that
  /// each type has code of its own for it.
  static func _fill(
    _ memory: UnsafeMutableRawPointer, stride: Int, _ index: Int,
    of rows: UnsafeBufferPointer<_Row>)
}

/// The address of a packed row.
public typealias _Row = UnsafeMutablePointer<Int64>

extension AttributeValue {
  @inlinable public static var _isOptional: Bool { false }
  @inlinable public static var _unstorable: _Unstorable? { nil }
  @inlinable public static var _isInline: Bool { true }
  @inlinable public var _isNull: Bool { false }
  @inlinable public var _isNaN: Bool { false }
  @inlinable public var _slot: Int64 { 0 }
  @inlinable public func _withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
  @inlinable public static func _fill(
    _ memory: UnsafeMutableRawPointer, stride: Int, _ index: Int,
    of rows: UnsafeBufferPointer<_Row>
  ) {
    var place = memory
    for row in rows {
      place.initializeMemory(
        as: Self.self,
        to: _read(
          slot: _RowAccess.slot(row, index), row: UnsafePointer(row),
          isNull: _RowAccess.isNull(row, index)))
      place += stride
    }
  }
}

/// The bytes that a text or blob slot points to.
@inlinable
public func _slotBytes(_ slot: Int64, in row: UnsafePointer<Int64>) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(
    start: UnsafeRawPointer(row) + Int(cauldron_row_upper(slot)),
    count: Int(cauldron_row_lower(slot)))
}
