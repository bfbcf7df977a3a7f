public import CCauldron
import Foundation

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

extension AttributeValue {
  /// The value that a scalar stands for; nil, or what a missing value shows, for `.null` and for what is
  /// none of the type.
  package static func shown(for scalar: AttributeScalar) -> Self {
    switch scalar {
    case .null: return read(0, bytes: [], isNull: true)
    case .integer(let number):
      guard _isInline else { return read(spelt: "\(number)") }
      return attributeType.storageClass == .real
        ? read(Int64(bitPattern: Double(number).bitPattern), bytes: []) : read(number, bytes: [])
    case .real(let number):
      guard _isInline else { return read(spelt: "\(number)") }
      guard attributeType.storageClass != .real else {
        return read(Int64(bitPattern: number.bitPattern), bytes: [])
      }
      // What is beyond 64 bits has become a Double.
      return Int64(exactly: number).map { read($0, bytes: []) } ?? read(0, bytes: [], isNull: true)
    case .text(let text): return read(bytes: Array(text.utf8))
    case .blob(let data): return read(bytes: [UInt8](data))
    }
  }

  /// A number for a type that is kept as text.
  private static func read(spelt text: String) -> Self {
    attributeType.storageClass == .text
      ? read(bytes: Array(text.utf8)) : read(0, bytes: [], isNull: true)
  }

  private static func read(bytes: [UInt8]) -> Self {
    guard !_isInline else { return read(0, bytes: [], isNull: true) }
    // The bytes lie behind one slot, as they do in a row.
    let slot = cauldron_row_pair(UInt32(MemoryLayout<Int64>.size), UInt32(bytes.count))
    return read(slot, bytes: bytes)
  }

  private static func read(_ slot: Int64, bytes: [UInt8], isNull: Bool = false) -> Self {
    let words = 1 + (bytes.count + 7) / 8
    return withUnsafeTemporaryAllocation(of: Int64.self, capacity: words) { buffer in
      buffer.initialize(repeating: 0)
      UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[8...])
        .copyBytes(from: bytes)
      guard let start = buffer.baseAddress else { trap("An allocation has no address.") }
      return _read(slot: slot, row: UnsafePointer(start), isNull: isNull)
    }
  }
}

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

/// The content of a slot for a value that no store can keep, and the reason that its type gives.
///
/// A setter cannot throw, and to round would be a silent loss; so a save refuses the value. Reading
/// the property shows what the type shows for it.
/// - Note: It serves ``AttributeValue``.
public struct _Unstorable: Sendable, Hashable {
  /// The slot's content.
  package let slot: Int64
  /// What can be kept, such as "a Duration has whole nanoseconds".
  package let reason: String
}
