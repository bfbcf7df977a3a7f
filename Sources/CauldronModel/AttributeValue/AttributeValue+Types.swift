public import Foundation

extension Int: AttributeValue {
  public typealias _Comparand = Double
  public static var attributeType: AttributeType { .integer64 }
  @inlinable public var _slot: Int64 { Int64(self) }
  @inlinable
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Int {
    Int(truncatingIfNeeded: slot)
  }
}

extension Int64: AttributeValue {
  public typealias _Comparand = Double
  public static var attributeType: AttributeType { .integer64 }
  @inlinable public var _slot: Int64 { self }
  @inlinable
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Int64 { slot }
}

extension Int32: AttributeValue {
  public typealias _Comparand = Double
  public static var attributeType: AttributeType { .integer32 }
  @inlinable public var _slot: Int64 { Int64(self) }
  @inlinable
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Int32 {
    Int32(truncatingIfNeeded: slot)
  }
}

extension Int16: AttributeValue {
  public typealias _Comparand = Double
  public static var attributeType: AttributeType { .integer16 }
  @inlinable public var _slot: Int64 { Int64(self) }
  @inlinable
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Int16 {
    Int16(truncatingIfNeeded: slot)
  }
}

extension Bool: AttributeValue {
  public static var attributeType: AttributeType { .boolean }
  @inlinable public var _slot: Int64 { self ? 1 : 0 }
  @inlinable
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Bool {
    slot != 0
  }
}

extension Double: AttributeValue {
  public typealias _Comparand = Double
  public static var attributeType: AttributeType { .double }
  @inlinable public var _isNaN: Bool { isNaN }
  @inlinable public var _slot: Int64 { Int64(bitPattern: bitPattern) }
  @inlinable
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Double {
    Double(bitPattern: UInt64(bitPattern: slot))
  }
}

extension Float: AttributeValue {
  public typealias _Comparand = Double
  public static var attributeType: AttributeType { .float }
  @inlinable public var _isNaN: Bool { isNaN }
  @inlinable public var _slot: Int64 { Int64(bitPattern: Double(self).bitPattern) }
  @inlinable
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Float {
    Float(Double(bitPattern: UInt64(bitPattern: slot)))
  }
}

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

/// A length of time, stored and hashed as Integer 64: its nanoseconds.
///
/// What is finer than a nanosecond, or longer than 292 years, shows as ``Swift/Duration/zero`` until
/// another value is set, and fails the validation of a save.
extension Duration: AttributeValue {
  public static var attributeType: AttributeType { .integer64 }

  public static var _unstorable: _Unstorable? {
    _Unstorable(slot: .min, reason: "a Duration has whole nanoseconds, and at most 292 years")
  }

  public var _slot: Int64 { nanoseconds ?? .min }

  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Duration {
    slot == .min ? .zero : .nanoseconds(slot)
  }

  /// The whole nanoseconds; nil where there are none, or too many.
  private var nanoseconds: Int64? {
    let (seconds, attoseconds) = components
    guard attoseconds % 1_000_000_000 == 0 else { return nil }
    // 128 bits, because a part of a second may bring a sum back that is beyond the limit.
    let whole = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    return Int64(exactly: whole).flatMap { $0 == .min ? nil : $0 }
  }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  public typealias _Comparand = Wrapped._Comparand
  public static var attributeType: AttributeType { Wrapped.attributeType }
  @inlinable public static var _isOptional: Bool { true }
  @inlinable public static var _unstorable: _Unstorable? { Wrapped._unstorable }
  @inlinable public static var _isInline: Bool { Wrapped._isInline }
  /// An optional that is set to NaN has no value: so a context shows what its store will keep.
  @inlinable public var _isNull: Bool {
    switch self {
    case .some(let value): value._isNaN
    case .none: true
    }
  }
  @inlinable public var _slot: Int64 { self?._slot ?? 0 }
  @inlinable
  public func _withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    switch self {
    case .some(let value): value._withBytes(body)
    case .none: body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
  @inlinable
  public static func _read(slot: Int64, row: UnsafePointer<Int64>, isNull: Bool) -> Self {
    isNull ? nil : Wrapped._read(slot: slot, row: row, isNull: false)
  }
}

/// A value that queries sum up and average: a number, or a Bool, of which true counts 1 and false 0.
///
/// ```swift
/// try Person.where(\.age > 17).sum(\.isActive, in: context)           // how many of them are active
/// try Person.grouped(by: \.city).average(\.isActive, in: context)     // which share is
/// ```
public protocol QuerySummand: AttributeValue {
  /// The type of sums of such values, and of calculations with them: wide enough that nothing is cut off.
  associatedtype Calculated: QueryNumber where Calculated.Calculated == Calculated
}

/// A number that queries calculate with, and what comes of it.
///
/// Sums and products of narrow integers are wider than the integers, so that none is cut off: those of
/// `Int16` and `Int32` are `Int`, those of `Float` are `Double`.
public protocol QueryNumber: QuerySummand, Numeric, Comparable {}

extension Bool: QuerySummand {
  public typealias Calculated = Int
}

extension Int: QueryNumber {
  public typealias Calculated = Int
}

extension Int64: QueryNumber {
  public typealias Calculated = Int64
}

extension Int32: QueryNumber {
  public typealias Calculated = Int
}

extension Int16: QueryNumber {
  public typealias Calculated = Int
}

extension Double: QueryNumber {
  public typealias Calculated = Double
}

extension Float: QueryNumber {
  public typealias Calculated = Double
}

extension Decimal: QueryNumber {
  public typealias Calculated = Decimal
}
