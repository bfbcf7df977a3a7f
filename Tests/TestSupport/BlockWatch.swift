package import CauldronModel

/// Tells whether the memory that some rows lie in is still there, and keeps none of it.
package struct BlockWatch {
  private struct Entry {
    weak var block: RowBlock?
  }

  private let entries: [Entry]

  package init(_ rows: some Sequence<RowPointer>) {
    entries = rows.map { Entry(block: $0.block) }
  }

  /// The positions of the rows whose memory is still there.
  package var alive: [Int] { entries.indices.filter { entries[$0].block != nil } }
}
