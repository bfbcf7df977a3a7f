extension RowPointer {
  // Only the creator of a row calls these, before anybody else can see the row.

  @inlinable
  package func setVersion(_ version: Int32) {
    words[1] = (words[1] & ~0xFFFF_FFFF) | Int64(UInt32(bitPattern: version))
  }

  @inlinable
  package func setSize(_ size: Int) {
    words[2] = (words[2] & 0xFFFF_FFFF) | Int64(bitPattern: UInt64(size) << 32)
  }

  @inlinable
  package func setNull(_ index: Int) {
    words[Self.header + index] = 0
    if index < 32 {
      words[2] |= 1 << index
    } else {
      words[-1 - (index - 32) >> 6] |= 1 << ((index - 32) & 63)
    }
  }

  @inlinable
  package func setSlot(_ index: Int, _ slot: Int64) {
    words[Self.header + index] = slot
    if index < 32 {
      words[2] &= ~(1 << index)
    } else {
      words[-1 - (index - 32) >> 6] &= ~(1 << ((index - 32) & 63))
    }
  }
}
