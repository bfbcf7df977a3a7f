internal import CCauldron
internal import CSQLite
import CauldronModel

/// The memory into which the rows of a query are packed, block after block.
struct PackSpace {
  /// The first free byte of the block.
  private var cursor: UnsafeMutableRawPointer
  /// The first byte that does not belong to the block.
  private(set) var end: UnsafeMutableRawPointer
  private var block: RowBlock
  /// The blocks before this one.
  private var finished = RowMemory()

  init() {
    block = RowBlock()
    cursor = block.base + block.used
    end = block.base + block.capacity
  }

  /// The place of a row of at least so many bytes.
  /// - Parameter count: How many rows the query has so far.
  @inline(__always)
  mutating func room(
    for bytes: Int, leading: Int, after count: Int
  ) -> UnsafeMutableRawPointer {
    // A row begins in the first 64 KiB of its block, where its address leads back to the block.
    if end - cursor < bytes || cursor + leading - block.base >= CAULDRON_ROW_UNIT {
      startBlock(bytes, after: count)
    }
    return cursor
  }

  /// Ends a row.
  @inline(__always)
  mutating func end(at next: UnsafeMutableRawPointer) { cursor = next }

  /// Makes room for `bytes` more at the end of a row by moving it to a block of its own.
  /// - Parameter count: How many rows the query has before it.
  @inline(never)
  mutating func move(
    _ row: inout OpenRow, leading: Int, roomFor bytes: Int, after count: Int
  ) {
    let old = UnsafeMutableRawPointer(row.words) - leading
    let size = leading + row.size
    // The first row of a query may be all that would keep its block.
    let source = block
    startBlock(size + bytes + 8, after: count)
    withExtendedLifetime(source) { cursor.copyMemory(from: old, byteCount: size) }
    row.words = (cursor + leading).assumingMemoryBound(to: Int64.self)
    row.text = (cursor + size).assumingMemoryBound(to: CChar.self)
  }

  /// A block without a row of the query is not kept.
  private mutating func startBlock(_ bytes: Int, after count: Int) {
    block.used = min(cursor - block.base, block.capacity)
    if count > 0 { finished.keep(block) }
    block = RowBlock(minimum: bytes)
    cursor = block.base + block.used
    end = block.base + block.capacity
  }

  /// The memory of the query's rows. The space goes on in the last block of it, and keeps no other.
  mutating func handOver() -> RowMemory {
    defer { forget() }
    finished.keep(block)
    return finished
  }

  /// Keeps no block of an earlier query but the one that is being filled.
  mutating func forget() { finished = RowMemory() }
}

/// The addresses of the rows that a query has packed.
struct PackedRows {
  private static let usualCapacity = 64
  private var rows: UnsafeMutablePointer<RowPointer>
  private var capacity = usualCapacity
  private(set) var count = 0

  init() { rows = .allocate(capacity: capacity) }

  /// Gives the list back; it is not used afterwards.
  mutating func free() { rows.deallocate() }

  /// Forgets the rows, and keeps the room.
  mutating func begin() { count = 0 }

  /// - Returns: The row's number.
  @inline(__always)
  mutating func append(_ row: RowPointer) -> Int64 {
    if count == capacity { grow() }
    (rows + count).initialize(to: row)
    count += 1
    return Int64(count - 1)
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<RowPointer>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: rows, count: count)
    rows.deallocate()
    rows = larger
    capacity *= 2
  }

  /// Gives a long list back, so that one large fetch does not cost memory for ever.
  mutating func shrink() {
    guard capacity > 1 << 16 else { return }
    rows.deallocate()
    capacity = Self.usualCapacity
    rows = .allocate(capacity: capacity)
    count = 0
  }

  /// The rows in the order in which they were packed, or in another one.
  func list(_ order: PackOrder? = nil) -> [RowPointer] {
    let known = min(order?.ascending ?? count, count)
    var list = Array(UnsafeBufferPointer(start: rows, count: known))
    if let order { for number in order.rest where number < count { list.append(rows[number]) } }
    return list
  }

  /// The only row; nil where there are none or several.
  var only: RowPointer? { count == 1 ? rows[0] : nil }
}

/// Whether keys have come in ascending order.
struct KeyOrder {
  private var last = Int64.min
  /// Whether no key was less than the one before.
  private(set) var ascends = true

  @inline(__always)
  mutating func note(_ key: Int64) {
    if key < last { ascends = false }
    last = key
  }
}
