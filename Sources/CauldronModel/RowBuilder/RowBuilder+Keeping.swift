extension RowBuilder {
  /// Copies a row next to those that were copied before, for somebody who keeps it; the builder
  /// does not.
  package mutating func keep(_ row: RowPointer, _ layout: EntityLayout) -> HeldRow {
    let copy = copy(row, layout).held
    close()
    dropFinishedBlocks()
    return copy
  }
}
