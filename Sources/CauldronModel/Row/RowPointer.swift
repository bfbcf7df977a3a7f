/// A packed row by address; whoever keeps one keeps its block alive, too.
///
/// ```
/// word -k…-1  null bits of the properties from the 33rd on, 64 a word, nearest word first
/// word 0      Z_PK
/// word 1      Z_ENT << 32 | Z_OPT
/// word 2      size in bytes << 32 | null bits of the first 32 properties
/// word 3      the maker: the number of the change set that made the content; 0 for the store
/// word 4…     a slot for each property, in declaration order, inherited ones first;
///             then a slot for the entity number of each to-one whose destination has subentities
/// then        text and blob bytes; their slot is offset << 32 | length, from word 0
/// ```
/// A row is relocatable: one `memcpy` copies it.
@frozen @usableFromInline
package struct RowPointer: Hashable, @unchecked Sendable {
  // `@unchecked Sendable` because a row is immutable from the moment another thread can see it.
  @usableFromInline package var words: UnsafeMutablePointer<Int64>

  @inlinable @inline(__always)
  package init(_ words: UnsafeMutablePointer<Int64>) { self.words = words }

  /// The words before the first slot.
  @inlinable package static var header: Int { 4 }

  @inlinable @inline(__always) package var key: Int64 { words[0] }
  @inlinable @inline(__always) package var entityNumber: Int32 {
    Int32(truncatingIfNeeded: words[1] >> 32)
  }
  /// The row's version, `Z_OPT`; 0 for a row that no layer and no store has accepted.
  @inlinable @inline(__always) package var version: Int32 { Int32(truncatingIfNeeded: words[1]) }
  /// The change set that made the content: 0 for a row that was read from the store, and
  /// ``composed`` for one that was put together from several.
  @inlinable @inline(__always) package var maker: UInt64 { UInt64(bitPattern: words[3]) }
  /// The maker of a row that was put together and is no version of its own.
  @inlinable package static var composed: UInt64 { .max }
  /// The bytes from word 0 to the end of the texts.
  @inlinable @inline(__always) package var size: Int { Int(UInt64(bitPattern: words[2]) >> 32) }
  @inlinable @inline(__always) package func slot(_ index: Int) -> Int64 {
    words[Self.header + index]
  }

  @inlinable @inline(__always)
  package func isNull(_ index: Int) -> Bool { _RowAccess.isNull(words, index) }

  /// The bytes of a text or blob.
  @inlinable @inline(__always)
  package func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    let slot = UInt64(bitPattern: slot(index))
    return UnsafeRawBufferPointer(
      start: UnsafeRawPointer(words) + Int(slot >> 32), count: Int(slot & 0xFFFF_FFFF))
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
