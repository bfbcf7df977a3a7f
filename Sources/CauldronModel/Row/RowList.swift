/// Rows in the order of a fetch, with the memory that they lie in.
package struct RowList: Sendable {
  package var rows: [RowPointer]
  package var blocks: [RowBlock]

  package init(rows: [RowPointer] = [], blocks: [RowBlock] = []) {
    self.rows = rows
    self.blocks = blocks
  }
}
