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
        append(index, bytes, to: row)
        return row
      }
    } else if row.bytes(index).count >= bytes.count {
      overwrite(index, bytes, of: row)
      return row
    } else if open == row, growLast(index, bytes, of: row) {
      return row
    }
    return setBytesSlowly(index, bytes, of: row, layout.entity)
  }

  /// Puts a text behind all others of the newest row; there must be room.
  private func append(_ index: Int, _ bytes: UnsafeRawBufferPointer, to row: RowPointer) {
    let offset = row.size
    row.write(index, bytes, at: offset)
    row.setSize(offset + bytes.count)
    block.used += bytes.count
  }

  private func overwrite(_ index: Int, _ bytes: UnsafeRawBufferPointer, of row: RowPointer) {
    row.write(index, bytes, at: row.offset(index))
  }

  /// Grows the last text of the newest row where it is, which is what typing does.
  private func growLast(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, of row: RowPointer
  ) -> Bool {
    let (offset, length) = (row.offset(index), row.bytes(index).count)
    guard offset + length == row.size, block.free >= bytes.count - length + 8 else { return false }
    row.write(index, bytes, at: offset)
    row.setSize(offset + bytes.count)
    block.used += bytes.count - length
    return true
  }

  /// Makes room for a text where former texts were, or else behind the row, or else in a copy of it.
  ///
  /// A row moves with room to spare, so that texts which grow again and again cost their length.
  @inline(never)
  private mutating func setBytesSlowly(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, of row: RowPointer, _ layout: EntityLayout
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
        append(index, bytes, to: row)
        return row
      }
    } else if live + bytes.count <= row.size {
      row.write(index, bytes, at: row.compact(without: index, layout))
      return row
    }
    let wasOpen = open == row
    let growth = live + replaced > RowBlock.unit / 4 ? live + replaced : 0
    let moved = copy(row, layout, extra: bytes.count + 8 + growth)
    moved.setSize(moved.compact(without: index, layout))
    block.used = UnsafeRawPointer(moved.words) - UnsafeRawPointer(block.base) + moved.size
    append(index, bytes, to: moved)
    looseSize = 2 * moved.size + 512
    if !wasOpen { spare = moved.size / 4 }
    return moved
  }
}
