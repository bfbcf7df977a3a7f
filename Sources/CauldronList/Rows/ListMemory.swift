package import CauldronModel
import Foundation

/// The memory that a list's rows and sort terms lie in. It only grows; a list that has changed much is
/// made anew with a new one. Snapshots keep it.
///
/// `@unchecked Sendable` because only the list's writer adds to it, and others but keep it.
package final class ListMemory: @unchecked Sendable {
  private var rows: RowMemory
  private var keeper = RowKeeper()
  private var blocks: [UnsafeMutableRawPointer] = []
  private var used = 0
  private var capacity = 0
  /// How many rows were copied into it.
  private(set) var copies = 0
  /// How many sort terms lie in it.
  private(set) var termCount = 0

  private static let unit = 1 << 16

  /// - Parameter rows: The memory of rows that a list begins with.
  package init(_ rows: RowMemory = RowMemory()) { self.rows = rows }

  deinit { for block in blocks { block.deallocate() } }

  /// A copy of a row that is kept.
  func keep(_ row: RowPointer, of layout: EntityLayout) -> RowPointer {
    let held = keeper.keep(row, layout)
    rows.keep(held.block)
    copies += 1
    return held.row
  }

  /// How much is used for sort terms.
  struct Mark {
    fileprivate let blockCount: Int
    fileprivate let used: Int
    fileprivate let termCount: Int
  }

  var mark: Mark { Mark(blockCount: blocks.count, used: used, termCount: termCount) }

  /// Forgets the terms that were made since, of which nobody has one.
  func goBack(to mark: Mark) {
    used = blocks.count == mark.blockCount ? mark.used : 0
    termCount = mark.termCount
  }

  /// A sort term.
  func term(_ order: [UInt8], section: [UInt8]) -> SortTerm {
    let size = (SortTerm.header + order.count + section.count + 7) & ~7
    if used + size > capacity { grow(size) }
    let start = blocks[blocks.count - 1] + used
    used += size
    termCount += 1
    start.storeBytes(of: UInt32(order.count), as: UInt32.self)
    start.storeBytes(of: UInt32(section.count), toByteOffset: 4, as: UInt32.self)
    order.withUnsafeBytes { copy($0, to: start + SortTerm.header) }
    section.withUnsafeBytes { copy($0, to: start + SortTerm.header + order.count) }
    return SortTerm(start: UnsafeRawPointer(start))
  }

  /// A copy of another memory's term.
  func copy(_ term: SortTerm) -> SortTerm {
    self.term(Array(term.order), section: Array(term.sectionBytes))
  }

  private func copy(_ bytes: UnsafeRawBufferPointer, to start: UnsafeMutableRawPointer) {
    if let base = bytes.baseAddress { start.copyMemory(from: base, byteCount: bytes.count) }
  }

  private func grow(_ size: Int) {
    capacity = max(Self.unit, size)
    used = 0
    blocks.append(.allocate(byteCount: capacity, alignment: 8))
  }
}
