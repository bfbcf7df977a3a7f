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
