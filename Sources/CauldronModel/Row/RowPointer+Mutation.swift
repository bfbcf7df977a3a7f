public import CCauldron

extension RowPointer {
  /// The version of the next change to this row.
  ///
  /// After the greatest number it begins anew, as all that counts is whether two are equal.
  package var nextVersion: Int32 { version == .max ? 1 : version + 1 }

  // Only the creator of a row calls these, before anybody else can see the row.

  @inlinable @inline(__always)
  package func setKey(_ key: Int64) { words[CAULDRON_ROW_KEY] = key }

  @inlinable @inline(__always)
  package func setVersion(_ version: Int32) {
    words[CAULDRON_ROW_NUMBERS] = cauldron_row_pair(
      UInt32(bitPattern: entityNumber), UInt32(bitPattern: version))
  }

  @inlinable @inline(__always)
  package func setMaker(_ maker: UInt64) {
    words[CAULDRON_ROW_MAKER] = Int64(bitPattern: maker)
  }

  @inlinable @inline(__always)
  package func setSize(_ size: Int) {
    words[CAULDRON_ROW_SIZE] = cauldron_row_pair(
      UInt32(truncatingIfNeeded: size), cauldron_row_lower(words[CAULDRON_ROW_SIZE]))
  }

  /// Sets the entity number or the order key beside a to-one, in a slot of its own.
  @inlinable @inline(__always)
  package func setCompanion(_ number: Int64, at slot: Int) {
    words[CAULDRON_ROW_HEADER + slot] = number
  }

  @inlinable @inline(__always)
  package func setNull(_ index: Int) { _RowAccess.setNull(words, index) }

  @inlinable @inline(__always)
  package func setSlot(_ index: Int, _ slot: Int64) { _RowAccess.setSlot(words, index, slot) }
}
