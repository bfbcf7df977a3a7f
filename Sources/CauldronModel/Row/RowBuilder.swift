/// Appends rows to blocks, taking a new block whenever a row does not fit.
///
/// The newest row is open-ended: its texts are appended right behind it, so that a new object's
/// row is written in place and never copied.
package struct RowBuilder {
  package private(set) var block: RowBlock
  /// The blocks in the order in which they were begun; the last one is `block`.
  package private(set) var blocks: [RowBlock]
  /// The newest row, while it may still grow.
  package private(set) var open: RowPointer?

  package init() {
    block = RowBlock()
    blocks = [block]
  }

  /// Forgets all blocks but the current one; rows handed out are kept alive by their holders.
  package mutating func dropFinishedBlocks() {
    blocks = [block]
  }

  /// Begins a row as a copy of the entity's template, with room for at least `extra` bytes of text.
  package mutating func begin(_ layout: EntityLayout, key: Int64, extra: Int = 0) -> RowPointer {
    let template = layout.template
    let row = reserve(layout.leadingWords, template.row.size, extra: extra)
    copyWords(of: template.row, to: row, leading: layout.leadingWords)
    row.words[0] = key
    return row
  }

  /// Begins a row as a copy of another one of the same layout.
  package mutating func copy(
    _ source: RowPointer, _ layout: EntityLayout, extra: Int = 0
  ) -> RowPointer {
    let row = reserve(layout.leadingWords, source.size, extra: extra)
    copyWords(of: source, to: row, leading: layout.leadingWords)
    return row
  }

  /// Sets a text or blob of `row`; answers where the row is now, since it moves if it cannot grow.
  package mutating func setBytes(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, of row: RowPointer, _ layout: EntityLayout
  ) -> RowPointer {
    setBytes(index, bytes, of: row, EntityLayout.Unowned(entity: layout))
  }

  /// The same, without a retain of the layout, which is hardly ever needed.
  package mutating func setBytes(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, of row: RowPointer,
    _ layout: EntityLayout.Unowned
  ) -> RowPointer {
    if row.slot(index) != 0, !row.isNull(index), row.bytes(index).count >= bytes.count {
      return overwrite(index, bytes, of: row)
    }
    var row = row
    if open != row || block.free < bytes.count + 8 {
      row = copy(row, layout.entity, extra: bytes.count + 8)
    }
    let offset = row.size
    if let start = bytes.baseAddress {
      (UnsafeMutableRawPointer(row.words) + offset).copyMemory(from: start, byteCount: bytes.count)
    }
    row.setSlot(index, Int64(bitPattern: UInt64(offset) << 32 | UInt64(bytes.count)))
    row.setSize(offset + bytes.count)
    block.used += bytes.count
    return row
  }

  /// Ends the newest row: nothing is appended to it any more.
  package mutating func close() {
    guard open != nil else { return }
    block.used = (block.used + 7) & ~7
    open = nil
  }

  private func overwrite(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, of row: RowPointer
  ) -> RowPointer {
    let offset = UInt64(bitPattern: row.slot(index)) >> 32
    if let start = bytes.baseAddress {
      (UnsafeMutableRawPointer(row.words) + Int(offset))
        .copyMemory(from: start, byteCount: bytes.count)
    }
    row.setSlot(index, Int64(bitPattern: offset << 32 | UInt64(bytes.count)))
    return row
  }

  private mutating func reserve(_ leading: Int, _ size: Int, extra: Int) -> RowPointer {
    close()
    let bytes = leading * 8 + size + extra + 16
    // A row must begin in the first unit of its block, or its address would not lead to the block.
    if block.free < bytes || block.used + leading * 8 >= RowBlock.unit {
      block = RowBlock(minimum: bytes)
      blocks.append(block)
    }
    let start = block.base + block.used + leading * 8
    block.used += leading * 8 + size
    let row = RowPointer(start.assumingMemoryBound(to: Int64.self))
    open = row
    return row
  }

  private func copyWords(of source: RowPointer, to row: RowPointer, leading: Int) {
    UnsafeMutableRawPointer(row.words - leading)
      .copyMemory(from: source.words - leading, byteCount: leading * 8 + source.size)
  }
}
