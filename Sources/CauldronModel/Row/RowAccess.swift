/// The few operations on a packed row that generated code inlines into the user's module.
public enum _RowAccess {
  /// Whether a property is nil.
  @inlinable @inline(__always)
  public static func isNull(_ words: UnsafeMutablePointer<Int64>, _ index: Int) -> Bool {
    index < 32
      ? words[2] & (1 << index) != 0
      : words[-1 - (index - 32) >> 6] & (1 << ((index - 32) & 63)) != 0
  }

  /// Makes a property nil.
  @inlinable @inline(__always)
  public static func setNull(_ words: UnsafeMutablePointer<Int64>, _ index: Int) {
    words[4 + index] = 0
    if index < 32 {
      words[2] |= 1 << index
    } else {
      words[-1 - (index - 32) >> 6] |= 1 << ((index - 32) & 63)
    }
  }

  /// Gives a property a value.
  @inlinable @inline(__always)
  public static func setSlot(
    _ words: UnsafeMutablePointer<Int64>, _ index: Int, _ slot: Int64
  ) {
    words[4 + index] = slot
    if index < 32 {
      words[2] &= ~(1 << index)
    } else {
      words[-1 - (index - 32) >> 6] &= ~(1 << ((index - 32) & 63))
    }
  }
}
