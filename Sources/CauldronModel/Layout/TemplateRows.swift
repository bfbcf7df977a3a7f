internal import CCauldron
import Foundation

/// Builds the two rows that every entity has: all nil, and the constant defaults.
struct TemplateRows {
  let zero: HeldRow
  let template: HeldRow

  init(number: Int32, properties: [PropertyLayout], slotCount: Int, leadingWords: Int) {
    var texts: [(Int, AttributeScalar)] = []
    let empty = EmptyRow(number: number, slotCount: slotCount, leadingWords: leadingWords)
    let block = RowBlock(
      minimum: 2 * (empty.size + leadingWords * 8) + Self.textBytes(properties))
    zero = empty.made(in: block)
    let row = empty.made(in: block).row
    for property in properties {
      switch Self.constant(property) {
      case .null: continue
      case .real(let value) where value.isNaN: continue
      case .integer(let value): row.setSlot(property.index, value)
      case .real(let value): row.setSlot(property.index, Int64(bitPattern: value.bitPattern))
      case let scalar: texts.append((property.index, scalar))
      }
    }
    for (index, scalar) in texts { Self.append(scalar, at: index, to: row, in: block) }
    template = HeldRow(row: row, block: block)
  }

  /// A row of an entity in which everything is nil.
  private struct EmptyRow {
    /// The entity's number.
    let number: Int32
    let slotCount: Int
    let leadingWords: Int

    /// The bytes of the row, without the leading words.
    var size: Int { (RowPointer.header + slotCount) * 8 }

    func made(in block: RowBlock) -> HeldRow {
      block.used = (block.used + 7) & ~7
      let start = block.base + block.used
      block.used += size + leadingWords * 8
      let words = start.assumingMemoryBound(to: Int64.self)
      words.initialize(repeating: 0, count: leadingWords + RowPointer.header + slotCount)
      let row = RowPointer(words + leadingWords)
      cauldron_row_clear_leading(row.words, leadingWords)
      row.words[CAULDRON_ROW_NUMBERS] = cauldron_row_pair(UInt32(number), 0)
      row.words[CAULDRON_ROW_SIZE] = cauldron_row_pair(UInt32(size), .max)
      return HeldRow(row: row, block: block)
    }
  }

  private static func append(
    _ scalar: AttributeScalar, at index: Int, to row: RowPointer, in block: RowBlock
  ) {
    let bytes = bytes(scalar)
    bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      (UnsafeMutableRawPointer(row.words) + row.size)
        .copyMemory(from: start, byteCount: source.count)
    }
    row.setSlot(index, cauldron_row_pair(UInt32(row.size), UInt32(bytes.count)))
    row.setSize(row.size + bytes.count)
    block.used += bytes.count
  }

  private static func constant(_ property: PropertyLayout) -> AttributeScalar {
    guard case .attribute(let attribute) = property.description, attribute.hasColumn else {
      return .null
    }
    // Nothing is counted before something is saved.
    if attribute.countedRelationship != nil { return .integer(0) }
    guard case .constant(let scalar) = attribute.defaultValue else { return .null }
    return scalar
  }

  private static func bytes(_ scalar: AttributeScalar) -> [UInt8] {
    switch scalar {
    case .text(let text): Array(text.utf8)
    case .blob(let data): Array(data)
    case .null, .integer, .real: []
    }
  }

  private static func textBytes(_ properties: [PropertyLayout]) -> Int {
    properties.reduce(64) { $0 + bytes(constant($1)).count }
  }
}
