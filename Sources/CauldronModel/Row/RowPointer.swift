public import CCauldron
public import Foundation

/// A packed row by address; whoever keeps one keeps its block alive, too.
///
/// `CauldronRow.h` says what lies where. A row is relocatable: one `memcpy` copies it.
@frozen @usableFromInline
package struct RowPointer: Hashable, @unchecked Sendable {
  // `@unchecked Sendable` because a row is immutable from the moment another thread can see it.
  @usableFromInline package var words: UnsafeMutablePointer<Int64>

  @inlinable @inline(__always)
  package init(_ words: UnsafeMutablePointer<Int64>) { self.words = words }

  /// Whether both are the same row in memory, whatever their values are.
  @inlinable @inline(__always)
  package static func == (a: RowPointer, b: RowPointer) -> Bool { a.words == b.words }

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

  /// The row together with a strong reference to its block, which the caller knows.
  @inlinable @inline(__always)
  package func held(by block: RowBlock) -> HeldRow { HeldRow(row: self, block: block) }
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

extension RowPointer {
  /// The number in a slot of that form.
  @inlinable @inline(__always) package func real(_ index: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: slot(index)))
  }

  /// The decimal number that a property's text spells; nil where it spells none.
  ///
  /// This is a call also from other targets: reading the text costs many times as much.
  package func decimal(_ index: Int) -> DecimalNumber? {
    DecimalNumber(bytes: bytes(index))
  }

  /// Whether a decimal is NaN, as `Decimal` writes it.
  package func isNaNText(_ index: Int) -> Bool {
    !isNull(index) && bytes(index).elementsEqual("NaN".utf8)
  }

  /// A property's value in the form that predicates and programs take.
  @inlinable
  package func scalar(_ index: Int, _ storage: StorageClass) -> AttributeScalar {
    if isNull(index) { return .null }
    switch storage {
    case .integer: return .integer(slot(index))
    case .real: return .real(real(index))
    case .text: return .text(String(decoding: bytes(index), as: UTF8.self))
    case .blob: return .blob(Data(bytes(index)))
    }
  }
}

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

extension RowPointer {
  /// The greatest version that a stored row may have.
  ///
  /// It is 16 million less than the greatest number of 32 bits, so that no run of edits between two
  /// saves counts beyond that.
  @inlinable package static var greatestVersion: Int32 { 0x7EFF_FFFF }
}

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

extension UnsafeBufferPointer<RowPointer> {
  /// Begins to load the header and a slot of the row that will be looked at a little later.
  ///
  /// Rows lie at irregular distances, so that the processor cannot guess what comes next.
  @inlinable @inline(__always)
  package func prefetch(_ position: Int, _ index: Int) {
    let ahead = position + 16
    guard ahead < count else { return }
    cauldron_prefetch(self[ahead].words)
    cauldron_prefetch(self[ahead].words + RowPointer.header + index)
  }
}
