/// The memory that rows lie in, each block of it once: kept for as long as this value is.
///
/// Rows that travel have theirs in a ``RowSet``. By itself it serves those who have rows in another
/// form, beside it in one value: a change set with its updates, a builder with what it has written.
@usableFromInline
package struct RowMemory: Sendable {
  private var blocks: [RowBlock] = []
  /// The addresses of the blocks, where these are many.
  private var known: Set<UInt> = []
  /// The block of the last row, and the one before: rows often come in pairs, the new one and the
  /// one that it was made from.
  private var last: UInt = 0
  private var other: UInt = 0

  package init() {}

  init(_ block: RowBlock) { keep(block) }

  /// Keeps the memory of a row, which somebody else has kept so far.
  @inline(__always)
  package mutating func keep(_ row: RowPointer) {
    let address = Self.address(row)
    if address != last { turn(to: address) { row.block } }
  }

  /// Keeps a block for the rows that lie in it, or will.
  package mutating func keep(_ block: RowBlock) {
    let address = UInt(bitPattern: block.base)
    if address != last { turn(to: address) { block } }
  }

  /// Keeps the memory of other rows, too.
  package mutating func keep(_ memory: RowMemory) {
    if blocks.isEmpty { self = memory } else { for block in memory.blocks { keep(block) } }
  }

  /// How many blocks it is.
  package var blockCount: Int { blocks.count }

  /// The bytes of all blocks.
  package var capacity: Int { blocks.reduce(0) { $0 + $1.capacity } }

  /// Whether a row lies in it.
  package func holds(_ row: RowPointer) -> Bool { contains(Self.address(row)) }

  /// Whether a block is part of it.
  package func holds(_ block: RowBlock) -> Bool { contains(UInt(bitPattern: block.base)) }

  @inline(__always)
  private static func address(_ row: RowPointer) -> UInt {
    UInt(bitPattern: row.words) & ~UInt(RowBlock.unit - 1)
  }

  @inline(never)
  private mutating func turn(to address: UInt, _ block: () -> RowBlock) {
    let isKnown = address == other || contains(address)
    other = last
    last = address
    if isKnown { return }
    blocks.append(block())
    if !known.isEmpty {
      known.insert(address)
    } else if blocks.count == 8 {
      known = Set(blocks.map { UInt(bitPattern: $0.base) })
    }
  }

  private func contains(_ address: UInt) -> Bool {
    known.isEmpty
      ? blocks.contains { UInt(bitPattern: $0.base) == address } : known.contains(address)
  }
}
