import CauldronModel

/// The row that is being packed; passed by value, so that it stays in registers.
struct OpenRow {
  var words: UnsafeMutablePointer<Int64>
  /// Where the next text goes.
  var text: UnsafeMutableRawPointer
  var nulls: Int64 = 0xFFFF_FFFF
  /// Whether a cell could not be packed; the state knows why.
  var isBad = false

  @inline(__always)
  init(_ start: UnsafeMutableRawPointer, _ entity: PackedEntity) {
    words = (start + entity.leadingWords * 8).assumingMemoryBound(to: Int64.self)
    text = UnsafeMutableRawPointer(words + PackedEntity.header + entity.slotCount)
    for word in 0..<entity.leadingWords { words[-1 - word] = -1 }
    if entity.hasGaps {
      (words + PackedEntity.header).update(repeating: 0, count: entity.slotCount)
    }
  }

  /// Fills the slot of a property that has a value.
  @inline(__always)
  mutating func set(_ step: PackStep, _ slot: Int64) {
    words[PackedEntity.header + Int(step.slot)] = slot
    let index = Int(step.property)
    if index < 32 {
      nulls &= ~(1 << index)
    } else {
      words[-1 - (index - 32) >> 6] &= ~(1 << ((index - 32) & 63))
    }
  }

  /// Clears the slot of a property that has none.
  @inline(__always)
  func setNull(_ step: PackStep) { words[PackedEntity.header + Int(step.slot)] = 0 }

  @inline(__always)
  func isNull(_ property: Int32) -> Bool {
    let index = Int(property)
    return index < 32
      ? nulls & (1 << index) != 0
      : words[-1 - (index - 32) >> 6] & (1 << ((index - 32) & 63)) != 0
  }
}
