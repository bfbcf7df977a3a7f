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
