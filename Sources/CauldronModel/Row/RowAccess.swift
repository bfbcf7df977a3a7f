public import CCauldron

/// The few operations on a packed row that generated code inlines into the user's module.
public enum _RowAccess {
  /// The content of a slot.
  @inlinable @inline(__always)
  public static func slot(_ words: UnsafeMutablePointer<Int64>, _ index: Int) -> Int64 {
    words[CAULDRON_ROW_HEADER + index]
  }

  /// Whether a property is nil.
  @inlinable @inline(__always)
  public static func isNull(_ words: UnsafeMutablePointer<Int64>, _ index: Int) -> Bool {
    words[cauldron_row_null_word(index)] & cauldron_row_null_bit(index) != 0
  }

  /// Makes a property nil.
  @inlinable @inline(__always)
  public static func setNull(_ words: UnsafeMutablePointer<Int64>, _ index: Int) {
    words[CAULDRON_ROW_HEADER + index] = 0
    words[cauldron_row_null_word(index)] |= cauldron_row_null_bit(index)
  }

  /// Gives a property a value.
  @inlinable @inline(__always)
  public static func setSlot(
    _ words: UnsafeMutablePointer<Int64>, _ index: Int, _ slot: Int64
  ) {
    words[CAULDRON_ROW_HEADER + index] = slot
    words[cauldron_row_null_word(index)] &= ~cauldron_row_null_bit(index)
  }
}
