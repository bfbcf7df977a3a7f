internal import CCauldron
import Foundation

/// Appends rows to blocks, taking a new block whenever a row does not fit.
///
/// The newest row is open-ended: its texts are appended right behind it, so that a new object's
/// row is written in place and never copied.
package struct RowBuilder {
  package internal(set) var block: RowBlock
  /// What was filled so far, `block` included.
  package private(set) var memory: RowMemory
  /// The newest row, while it may still grow.
  package internal(set) var open: RowPointer?
  /// The size from which on the newest row is searched for what former texts have left in it.
  var looseSize = 0
  /// The bytes that the newest row is given when it is closed: it was moved because others had come
  /// behind it, and would be moved for every letter otherwise.
  var spare = 0

  package init() {
    block = RowBlock()
    memory = RowMemory(block)
  }

  /// Forgets all blocks but the current one; rows handed out are kept alive by their holders.
  package mutating func dropFinishedBlocks() {
    if memory.blockCount > 1 { memory = RowMemory(block) }
  }

  /// Begins a row as a copy of the entity's template, with room for at least `extra` bytes of text.
  package mutating func begin(_ layout: EntityLayout, key: Int64, extra: Int = 0) -> RowPointer {
    let template = layout.template
    let row = reserve(leading: layout.leadingWords, size: template.row.size, extra: extra)
    copyWords(of: template.row, to: row, leading: layout.leadingWords)
    row.setKey(key)
    return row
  }

  /// Begins a row as a copy of another one of the same layout; what former texts have left in that
  /// one stays behind.
  package mutating func copy(
    _ source: RowPointer, _ layout: EntityLayout, extra: Int = 0
  ) -> RowPointer {
    let size = source.liveSize(layout)
    let row = reserve(leading: layout.leadingWords, size: size, extra: extra)
    if size == source.size {
      copyWords(of: source, to: row, leading: layout.leadingWords)
    } else {
      copyWords(of: source, to: row, leading: layout.leadingWords, size: layout.fixedSize)
      row.setSize(size)
      row.copyTexts(of: source, layout)
    }
    return row
  }

  /// Ends the newest row: nothing is appended to it any more.
  package mutating func close() {
    guard let row = open else { return }
    if spare > 0, block.free > spare + 8 {
      row.setSize(row.size + spare)
      block.used += spare
    }
    spare = 0
    block.used = (block.used + 7) & ~7
    open = nil
  }

  private mutating func reserve(leading: Int, size: Int, extra: Int) -> RowPointer {
    close()
    let bytes = leading * 8 + size + extra + 16
    // A row must begin in the first unit of its block, or its address would not lead to the block.
    if block.free < bytes || block.used + leading * 8 >= RowBlock.unit {
      block = RowBlock(minimum: bytes)
      memory.keep(block)
    }
    let start = block.base + block.used + leading * 8
    block.used += leading * 8 + size
    let row = RowPointer(start.assumingMemoryBound(to: Int64.self))
    open = row
    looseSize = 2 * size + 512
    return row
  }

  private func copyWords(
    of source: RowPointer, to row: RowPointer, leading: Int, size: Int? = nil
  ) {
    UnsafeMutableRawPointer(row.words - leading)
      .copyMemory(from: source.words - leading, byteCount: leading * 8 + (size ?? source.size))
  }
}

extension RowBuilder {
  /// Begins a copy of `base` in which the properties of `set` have their values from `source`.
  package mutating func merge(
    _ set: PropertySet, from source: RowPointer, onto base: RowPointer, _ layout: EntityLayout
  ) -> RowPointer {
    var row = copy(base, layout, extra: source.size)
    for index in set.indices {
      row = copyProperty(index, from: source, to: row, layout)
    }
    row.setMaker(RowPointer.composed)
    close()
    return row
  }

  /// Gives `row` a property's value from another row; answers where the row is now.
  package mutating func copyProperty(
    _ index: Int, from source: RowPointer, to row: RowPointer, _ layout: EntityLayout
  ) -> RowPointer {
    let property = layout.properties[index]
    if source.isNull(index) {
      row.setNull(index)
      return row
    }
    switch property.storageClass {
    case .text, .blob:
      return setBytes(index, source.bytes(index), of: row, layout)
    case .integer, .real, nil:
      row.setSlot(index, source.slot(index))
      for slot in property.companions { row.setCompanion(source.slot(slot), at: slot) }
      return row
    }
  }

  /// Gives `row` a value in scalar form; answers where the row is now.
  package mutating func set(
    _ index: Int, _ scalar: AttributeScalar, of row: RowPointer, _ layout: EntityLayout
  ) -> RowPointer {
    switch scalar {
    case .null:
      row.setNull(index)
      return row
    case .integer(let value):
      row.setSlot(index, value)
      return row
    case .real(let value):
      row.setSlot(index, Int64(bitPattern: value.bitPattern))
      return row
    case .text(let text):
      var text = text
      return text.withUTF8 { setBytes(index, UnsafeRawBufferPointer($0), of: row, layout) }
    case .blob(let data):
      return data.withUnsafeBytes { setBytes(index, $0, of: row, layout) }
    }
  }
}

extension RowBuilder {
  /// Sets a text or blob of `row`; answers where the row is now, since it moves if it cannot grow.
  package mutating func setBytes(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, of row: RowPointer, _ layout: EntityLayout
  ) -> RowPointer {
    setBytes(index, bytes, of: row, EntityLayout.Unowned(entity: layout))
  }

  /// The same, without a retain of the layout, which is hardly ever needed.
  /// - Complexity: O(length), taken over all calls for a row.
  package mutating func setBytes(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, of row: RowPointer,
    _ layout: EntityLayout.Unowned
  ) -> RowPointer {
    let slot = row.slot(index)
    if slot == 0 || row.isNull(index) {
      if open == row, block.free >= bytes.count + 8, row.size + bytes.count <= looseSize {
        append(index, bytes: bytes, to: row)
        return row
      }
    } else if row.bytes(index).count >= bytes.count {
      overwrite(index, with: bytes, of: row)
      return row
    } else if open == row, growLast(index, to: bytes, of: row) {
      return row
    }
    return setBytesSlowly(index, to: bytes, of: row, layout: layout.entity)
  }

  /// Puts a text behind all others of the newest row; there must be room.
  private func append(_ index: Int, bytes: UnsafeRawBufferPointer, to row: RowPointer) {
    let offset = row.size
    row.write(index, bytes: bytes, at: offset)
    row.setSize(offset + bytes.count)
    block.used += bytes.count
  }

  private func overwrite(_ index: Int, with bytes: UnsafeRawBufferPointer, of row: RowPointer) {
    row.write(index, bytes: bytes, at: row.offset(index))
  }

  /// Grows the last text of the newest row where it is, which is what typing does.
  private func growLast(
    _ index: Int, to bytes: UnsafeRawBufferPointer, of row: RowPointer
  ) -> Bool {
    let (offset, length) = (row.offset(index), row.bytes(index).count)
    guard offset + length == row.size, block.free >= bytes.count - length + 8 else { return false }
    row.write(index, bytes: bytes, at: offset)
    row.setSize(offset + bytes.count)
    block.used += bytes.count - length
    return true
  }

  /// Makes room for a text where former texts were, or else behind the row, or else in a copy of it.
  ///
  /// A row moves with room to spare, so that texts which grow again and again cost their length.
  @inline(never)
  private mutating func setBytesSlowly(
    _ index: Int, to bytes: UnsafeRawBufferPointer, of row: RowPointer, layout: EntityLayout
  ) -> RowPointer {
    let replaced = row.isNull(index) ? 0 : row.bytes(index).count
    let live = row.liveSize(layout) - replaced
    if open == row {
      let dead = row.size - live
      let fits = block.free >= bytes.count + 8
      if fits ? dead > live + bytes.count : block.free + dead >= bytes.count + 8 {
        block.used -= dead
        row.setSize(row.compact(without: index, layout))
      }
      looseSize = 2 * (row.size + bytes.count) + 512
      if block.free >= bytes.count + 8 {
        append(index, bytes: bytes, to: row)
        return row
      }
    } else if live + bytes.count <= row.size {
      row.write(index, bytes: bytes, at: row.compact(without: index, layout))
      return row
    }
    let wasOpen = open == row
    let growth = live + replaced > RowBlock.unit / 4 ? live + replaced : 0
    let moved = copy(row, layout, extra: bytes.count + 8 + growth)
    moved.setSize(moved.compact(without: index, layout))
    block.used = UnsafeRawPointer(moved.words) - UnsafeRawPointer(block.base) + moved.size
    append(index, bytes: bytes, to: moved)
    looseSize = 2 * moved.size + 512
    if !wasOpen { spare = moved.size / 4 }
    return moved
  }
}

extension RowPointer {
  /// The bytes that the row needs: its size without what former texts have left in it.
  /// - Complexity: O(texts).
  func liveSize(_ layout: EntityLayout) -> Int {
    var size = layout.fixedSize
    for index in layout.digest.texts where !isNull(index) { size += bytes(index).count }
    return size
  }

  /// Where a text begins, from word 0.
  func offset(_ index: Int) -> Int { Int(cauldron_row_upper(slot(index))) }

  // Only the creator of a row calls these, before anybody else can see the row.

  /// Gives a text its bytes and its place; there must be room.
  func write(_ index: Int, bytes: UnsafeRawBufferPointer, at offset: Int) {
    if let start = bytes.baseAddress {
      (UnsafeMutableRawPointer(words) + offset).copyMemory(from: start, byteCount: bytes.count)
    }
    let length = UInt32(truncatingIfNeeded: bytes.count)
    setSlot(index, cauldron_row_pair(UInt32(truncatingIfNeeded: offset), length))
  }

  /// Takes the texts of another row over, one behind the other.
  func copyTexts(of source: RowPointer, _ layout: EntityLayout) {
    var end = layout.fixedSize
    for index in layout.digest.texts where !source.isNull(index) {
      let bytes = source.bytes(index)
      write(index, bytes: bytes, at: end)
      end += bytes.count
    }
  }

  /// Moves the texts together, over what former ones have left; one of them counts as such.
  /// - Returns: Where the texts end. The row's size stays what it was.
  func compact(without index: Int, _ layout: EntityLayout) -> Int {
    let texts = layout.digest.texts.filter { $0 != index && !isNull($0) }
      .sorted { UInt64(bitPattern: slot($0)) < UInt64(bitPattern: slot($1)) }
    var end = layout.fixedSize
    for text in texts {
      let bytes = bytes(text)
      // `copyMemory` allows for places that overlap.
      write(text, bytes: bytes, at: end)
      end += bytes.count
    }
    return end
  }
}

/// Keeps rows for long in little more memory than their own.
///
/// A row keeps its whole block alive. Small ones that lie nearly alone in theirs, as a save or a read
/// of one row leaves them, are therefore copied next to one another.
@usableFromInline
package struct RowKeeper: Sendable {
  private var builder = RowBuilder()
  /// The bytes of the memory that the kept rows have put to use, also those that went since.
  @usableFromInline var filled = 0

  /// Larger rows fill much of a block, and are kept where they are.
  @inlinable static var large: Int { RowBlock.unit / 4 }

  package init() {}

  /// A row as it can be kept: where it is, or copied next to others.
  ///
  /// The keeper itself keeps none but the newest.
  /// - Parameter isSparse: Whether the row may be nearly alone in its memory.
  @inlinable
  package mutating func keep(
    _ row: RowPointer, _ layout: EntityLayout, isSparse: Bool = true
  ) -> HeldRow {
    guard isSparse, row.size < Self.large else {
      filled += 4 * row.size
      return row.held
    }
    return copy(row, layout)
  }

  @usableFromInline
  mutating func copy(_ row: RowPointer, _ layout: EntityLayout) -> HeldRow {
    let copy = builder.copy(row, layout).held
    builder.close()
    builder.dropFinishedBlocks()
    filled += copy.row.size
    return copy
  }

  /// Whether rows that went have left so much memory between the remaining ones that these had
  /// better be kept anew, by another keeper.
  ///
  /// That is so seldom that it costs no more than keeping them did.
  /// - Parameter live: The bytes of the rows that are still there.
  package func isLoose(around live: Int) -> Bool { filled > 8 * live + 1 << 20 }
}
