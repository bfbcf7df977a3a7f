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
