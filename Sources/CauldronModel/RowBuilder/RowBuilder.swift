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
    let row = reserve(layout.leadingWords, template.row.size, extra: extra)
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
    let row = reserve(layout.leadingWords, size, extra: extra)
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

  private mutating func reserve(_ leading: Int, _ size: Int, extra: Int) -> RowPointer {
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
