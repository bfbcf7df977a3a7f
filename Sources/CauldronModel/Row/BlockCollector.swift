/// Gathers the memory of rows, each block once.
struct BlockCollector {
  private(set) var blocks: [RowBlock] = []
  /// The addresses of the blocks, where these are many.
  private var known: Set<UInt> = []
  /// The block of the last row, and the one before: rows often come in pairs, the new one and the
  /// one that it was made from.
  private var last: UInt = 0
  private var other: UInt = 0

  @inline(__always)
  mutating func add(_ row: RowPointer) {
    let address = UInt(bitPattern: row.words) & ~UInt(RowBlock.unit - 1)
    if address != last { turn(to: address, row) }
  }

  @inline(never)
  private mutating func turn(to address: UInt, _ row: RowPointer) {
    let isKnown = address == other || knows(address)
    other = last
    last = address
    if !isKnown { blocks.append(row.block) }
  }

  private mutating func knows(_ address: UInt) -> Bool {
    if blocks.count < 8 { return blocks.contains { UInt(bitPattern: $0.base) == address } }
    if known.isEmpty { known = Set(blocks.map { UInt(bitPattern: $0.base) }) }
    return !known.insert(address).inserted
  }
}
