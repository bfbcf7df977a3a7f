internal import CCauldron

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
  func write(_ index: Int, _ bytes: UnsafeRawBufferPointer, at offset: Int) {
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
      write(index, bytes, at: end)
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
      write(text, bytes, at: end)
      end += bytes.count
    }
    return end
  }
}
