package import CauldronModel

/// A row in a list, with what it is sorted by where that is not in the row itself.
package struct ListedRow: ListElement {
  package let row: RowPointer
  /// Nil where the row alone tells its place.
  let term: SortTerm?

  package init(_ row: RowPointer, _ term: SortTerm? = nil) {
    self.row = row
    self.term = term
  }

  package var key: Int64 { row.key }
}
