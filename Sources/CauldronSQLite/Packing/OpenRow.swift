internal import CCauldron
internal import CSQLite
import CauldronModel

/// The row that is being packed, as C and Swift share it.
typealias OpenRow = cauldron_row

extension cauldron_row {
  @inline(__always)
  init(_ start: UnsafeMutableRawPointer, _ entity: PackedEntity) {
    let words = (start + entity.leadingWords * 8).assumingMemoryBound(to: Int64.self)
    let slots = words + CAULDRON_ROW_HEADER
    cauldron_row_clear_leading(words, entity.leadingWords)
    if entity.hasGaps { slots.update(repeating: 0, count: entity.slotCount) }
    let text = UnsafeMutableRawPointer(slots + entity.slotCount)
    self.init(
      words: words, text: text.assumingMemoryBound(to: CChar.self),
      nulls: Int64(UInt32.max))
  }

  /// Fills the slot of a property that has a value.
  mutating func set(_ step: PackStep, _ slot: Int64) {
    withUnsafePointer(to: step) { cauldron_set_slot(&self, $0, slot) }
  }

  func isNull(_ property: Int32) -> Bool {
    let index = Int(property)
    let word = index < CAULDRON_ROW_NEAR_NULLS ? nulls : words[cauldron_row_null_word(index)]
    return word & cauldron_row_null_bit(index) != 0
  }

  /// The bytes from word 0 to the end of the texts.
  var size: Int { UnsafeMutableRawPointer(text) - UnsafeMutableRawPointer(words) }
}
