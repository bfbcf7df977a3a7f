extension RowPointer {
  /// The version of the next change to this row.
  ///
  /// After the greatest number it begins anew, as all that counts is whether two are equal.
  package var nextVersion: Int32 { version == .max ? 1 : version + 1 }

  // Only the creator of a row calls these, before anybody else can see the row.

  @inlinable @inline(__always)
  package func setKey(_ key: Int64) { words[0] = key }

  @inlinable @inline(__always)
  package func setVersion(_ version: Int32) {
    words[1] = (words[1] & ~0xFFFF_FFFF) | Int64(UInt32(bitPattern: version))
  }

  @inlinable @inline(__always)
  package func setMaker(_ maker: UInt64) { words[3] = Int64(bitPattern: maker) }

  @inlinable @inline(__always)
  package func setSize(_ size: Int) {
    words[2] = (words[2] & 0xFFFF_FFFF) | Int64(bitPattern: UInt64(size) << 32)
  }

  @inlinable @inline(__always)
  package func setNull(_ index: Int) { _RowAccess.setNull(words, index) }

  @inlinable @inline(__always)
  package func setSlot(_ index: Int, _ slot: Int64) { _RowAccess.setSlot(words, index, slot) }
}
