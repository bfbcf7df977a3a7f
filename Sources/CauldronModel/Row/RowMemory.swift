public import CCauldron
import Foundation

/// The memory that rows lie in, each block of it once: kept for as long as this value is.
///
/// Rows that travel have theirs in a ``RowSet``. By itself it serves those who have rows in another
/// form, beside it in one value: a change set with its updates, a builder with what it has written.
@usableFromInline
package struct RowMemory: Sendable {
  @usableFromInline var blocks: [RowBlock] = []
  /// The addresses of the blocks, where these are many.
  @usableFromInline var known: Set<UInt> = []
  /// The block of the last row, and the one before: rows often come in pairs, the new one and the
  /// one that it was made from.
  @usableFromInline var last: UInt = 0
  @usableFromInline var other: UInt = 0

  @inlinable package init() {}

  init(_ block: RowBlock) { keep(block) }

  /// Keeps the memory of a row, which somebody else has kept so far.
  @inlinable @inline(__always)
  package mutating func keep(_ row: RowPointer) {
    let address = Self.address(row)
    if address != last { turn(to: address) { row.block } }
  }

  /// Keeps a block for the rows that lie in it, or will.
  @inlinable
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

  @inlinable @inline(__always)
  static func address(_ row: RowPointer) -> UInt {
    UInt(bitPattern: row.words) & ~UInt(RowBlock.unit - 1)
  }

  @usableFromInline @inline(never)
  mutating func turn(to address: UInt, _ block: () -> RowBlock) {
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

/// A stretch of memory that holds packed rows, each row immutable once it was handed out.
///
/// The memory is aligned so that the owner of any row can be found from the row's address alone:
/// a word near the beginning of each block points back to its `RowBlock`. That is what lets change
/// sets and caches keep plain pointers and retain a block once for all of its rows.
///
/// `@unchecked Sendable` because only the block's creator appends (rows are bump-allocated, nothing
/// handed out is written again), and rows reach other threads through a lock.
@usableFromInline
package final class RowBlock: @unchecked Sendable {
  /// The alignment of every block, and the usual size.
  @inlinable package static var unit: Int { CAULDRON_ROW_UNIT }
  @usableFromInline package let base: UnsafeMutableRawPointer
  package let capacity: Int
  /// The offset of the first free byte; only the creator moves it.
  @exclusivity(unchecked) package final var used: Int

  /// Makes a block in which one row of `bytes` bytes surely fits.
  package init(minimum bytes: Int = 0) {
    capacity = max(Self.unit, bytes + 16 * 64 + 64)
    base = RowBlockPool.shared.take(capacity)
    let offset = Self.backPointerOffset(UInt(bitPattern: base))
    used = offset + MemoryLayout<Int>.size
    (base + offset).storeBytes(of: Unmanaged.passUnretained(self), as: Unmanaged<RowBlock>.self)
  }

  /// Where a block's back-pointer lies: on one of 16 cache lines, because processors keep only a
  /// few lines whose addresses end alike, and all blocks begin alike.
  @inlinable @inline(__always)
  package static func backPointerOffset(_ base: UInt) -> Int {
    Int(truncatingIfNeeded: (base >> 16) & 15) << 6
  }

  deinit { RowBlockPool.shared.give(base, capacity: capacity) }

  /// The bytes that are still free.
  package var free: Int { capacity - used }
}

/// Keeps up to 32 MiB of free blocks, because page faults on fresh memory cost more than filling it.
///
/// A sanitizer gets fresh memory for each block: else it would not see the use of a freed one. Nor
/// does it see that the last release comes after all others: it would take filling a block again
/// for a race with its former reader.
private final class RowBlockPool: Sendable {
  static let shared = RowBlockPool()
  private static let limit = cauldron_is_sanitized() ? 0 : 512
  private let blocks = Locked<[UInt]>([])

  func take(_ capacity: Int) -> UnsafeMutableRawPointer {
    if capacity == RowBlock.unit,
      let address = blocks.withLock({ $0.popLast() }),
      let block = UnsafeMutableRawPointer(bitPattern: address)
    {
      return block
    }
    var memory: UnsafeMutableRawPointer?
    guard posix_memalign(&memory, RowBlock.unit, capacity) == 0, let memory else {
      trap("Cannot allocate \(capacity) bytes for rows.")
    }
    return memory
  }

  func give(_ memory: UnsafeMutableRawPointer, capacity: Int) {
    let kept =
      capacity == RowBlock.unit
      && blocks.withLock { blocks in
        guard blocks.count < Self.limit else { return false }
        blocks.append(UInt(bitPattern: memory))
        return true
      }
    if !kept { free(memory) }
  }
}
