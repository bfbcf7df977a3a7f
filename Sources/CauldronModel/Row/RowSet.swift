/// Rows in an order, with the memory that they lie in: one value, so that neither goes without the
/// other.
///
/// A row by address is good for as long as its set is there. That is why a set is walked by its own
/// methods, each of which keeps it for as long as it runs, and is no `Sequence`.
@usableFromInline
package struct RowSet: Sendable {
  @usableFromInline var pointers: [RowPointer] = []
  @usableFromInline package internal(set) var memory = RowMemory()

  package init() {}

  /// The rows of a reader or builder, all of whose memory is given.
  package init(_ rows: [RowPointer], in memory: RowMemory) {
    pointers = rows
    self.memory = memory
    assert(rows.allSatisfy(memory.holds), "A row lies in memory that nobody keeps.")
  }

  /// A row, or none.
  package init(_ row: HeldRow?) {
    if let row { append(row) }
  }

  package init(_ rows: some Sequence<HeldRow>) {
    for row in rows { append(row) }
  }

  /// The number of rows.
  @inlinable package var count: Int { pointers.count }

  @inlinable package var isEmpty: Bool { pointers.isEmpty }

  /// The row at a position, which the set must outlive.
  @inlinable
  package subscript(position: Int) -> RowPointer { pointers[position] }

  /// The first row, with a hold on its memory.
  package var first: HeldRow? { withExtendedLifetime(self) { pointers.first?.held } }

  package mutating func append(_ row: HeldRow) {
    pointers.append(row.row)
    memory.keep(row.block)
  }

  package mutating func append(contentsOf rows: RowSet) {
    pointers += rows.pointers
    memory.keep(rows.memory)
  }
}
