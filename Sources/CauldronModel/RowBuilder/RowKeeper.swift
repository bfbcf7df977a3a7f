/// Keeps rows for long in little more memory than their own.
///
/// A row keeps its whole block alive. Small ones that lie nearly alone in theirs, as a save or a read
/// of one row leaves them, are therefore copied next to one another.
package struct RowKeeper: Sendable {
  private var builder = RowBuilder()
  /// The bytes of the memory that the kept rows have put to use, also those that went since.
  private var filled = 0

  /// Larger rows fill much of a block, and are kept where they are.
  private static let large = RowBlock.unit / 4

  package init() {}

  /// A row as it can be kept: where it is, or copied next to others.
  ///
  /// The keeper itself keeps none but the newest.
  /// - Parameter isSparse: Whether the row may be nearly alone in its memory.
  package mutating func keep(
    _ row: RowPointer, _ layout: EntityLayout, isSparse: Bool = true
  ) -> HeldRow {
    guard isSparse, row.size < Self.large else {
      filled += 4 * row.size
      return row.held
    }
    let copy = builder.copy(row, layout).held
    builder.close()
    builder.dropFinishedBlocks()
    filled += copy.row.size
    return copy
  }

  /// Whether rows that went have left so much memory between those that are still there that all of
  /// these had better be kept anew, by another keeper.
  ///
  /// That is so seldom that it costs no more than keeping them did.
  /// - Parameter live: The bytes of the rows that are still there.
  package func isLoose(around live: Int) -> Bool { filled > 8 * live + 1 << 20 }
}
