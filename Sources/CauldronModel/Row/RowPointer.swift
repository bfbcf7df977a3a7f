public import CCauldron

/// A packed row by address; whoever keeps one keeps its block alive, too.
///
/// `CauldronRow.h` says what lies where. A row is relocatable: one `memcpy` copies it.
@frozen @usableFromInline
package struct RowPointer: Hashable, @unchecked Sendable {
  // `@unchecked Sendable` because a row is immutable from the moment another thread can see it.
  @usableFromInline package var words: UnsafeMutablePointer<Int64>

  @inlinable @inline(__always)
  package init(_ words: UnsafeMutablePointer<Int64>) { self.words = words }

  /// The words before the first slot.
  @inlinable package static var header: Int { CAULDRON_ROW_HEADER }

  @inlinable @inline(__always) package var key: Int64 { words[CAULDRON_ROW_KEY] }
  @inlinable @inline(__always) package var entityNumber: Int32 {
    Int32(bitPattern: cauldron_row_upper(words[CAULDRON_ROW_NUMBERS]))
  }
  /// The row's version, `Z_OPT`; 0 for a row that no layer and no store has accepted.
  @inlinable @inline(__always) package var version: Int32 {
    Int32(bitPattern: cauldron_row_lower(words[CAULDRON_ROW_NUMBERS]))
  }
  /// The change set that made the content: 0 for a row that was read from the store, and
  /// ``composed`` for one that was put together from several.
  @inlinable @inline(__always) package var maker: UInt64 {
    UInt64(bitPattern: words[CAULDRON_ROW_MAKER])
  }
  /// The maker of a row that was put together and is no version of its own.
  @inlinable package static var composed: UInt64 { .max }
  /// The bytes from word 0 to the end of the texts.
  @inlinable @inline(__always) package var size: Int {
    Int(cauldron_row_upper(words[CAULDRON_ROW_SIZE]))
  }
  @inlinable @inline(__always) package func slot(_ index: Int) -> Int64 {
    _RowAccess.slot(words, index)
  }

  @inlinable @inline(__always)
  package func isNull(_ index: Int) -> Bool { _RowAccess.isNull(words, index) }

  /// The bytes of a text or blob.
  @inlinable @inline(__always)
  package func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    _slotBytes(slot(index), in: UnsafePointer(words))
  }

  /// The block that the row lies in.
  @inlinable @inline(__always)
  package var block: RowBlock {
    let mask = UInt(RowBlock.unit - 1)
    let base = UInt(bitPattern: words) & ~mask
    let pointer = UnsafeRawPointer(bitPattern: base + UInt(RowBlock.backPointerOffset(base)))
    return pointer.unsafelyUnwrapped.load(as: Unmanaged<RowBlock>.self).takeUnretainedValue()
  }

  /// The row together with a strong reference to its memory.
  @inlinable package var held: HeldRow { HeldRow(row: self, block: block) }
}

/// A packed row that keeps its memory alive.
@frozen @usableFromInline
package struct HeldRow: Sendable {
  @usableFromInline package let row: RowPointer
  @usableFromInline package let block: RowBlock

  @inlinable @inline(__always)
  package init(row: RowPointer, block: RowBlock) {
    self.row = row
    self.block = block
  }
}
