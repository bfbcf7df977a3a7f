extension RowPointer {
  /// The properties in which two rows of one layout differ; transient and to-many ones never do.
  /// - Complexity: O(properties), plus the length of equally long texts.
  package func difference(from other: RowPointer, _ layout: EntityLayout) -> PropertySet {
    var result = PropertySet()
    if words == other.words { return result }
    for column in layout.digest.columns {
      if !isEqual(column.index, to: other, column.form) {
        result.insert(column.index)
      } else if column.hasCompanions, !isNull(column.index), differs(column, other) {
        result.insert(column.index)
      }
    }
    return result
  }

  private func differs(_ column: LayoutDigest.Column, _ other: RowPointer) -> Bool {
    column.entitySlot.map { slot($0) != other.slot($0) } ?? false
      || column.orderSlot.map { slot($0) != other.slot($0) } ?? false
  }
}
