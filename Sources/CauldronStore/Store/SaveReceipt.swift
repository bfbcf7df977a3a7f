package import CauldronModel

/// What became of a plan.
package struct SaveReceipt: Sendable {
  /// The result of each layer, in the plan's order: nil where it was written.
  package var failures: [CauldronError?]
  /// The statements that ran.
  package var statementCount: Int
  /// The rows that were written.
  package var rowCount: Int
  /// The keys of the rows that the store itself has changed because of others, by entity: their derived
  /// attributes have other values, and the same version.
  package var touched: [(entity: EntityLayout, keys: [Int64])] = []
  /// The keys of the rows of which nothing but the version has grown, by root entity: the to-many
  /// relationships of their objects have changed. Some may be missing in the store.
  package var owners: [(entity: EntityLayout, keys: [Int64])] = []

  /// The positions of the layers that were written.
  package var survivors: [Int] { failures.indices.filter { failures[$0] == nil } }

  package init(failures: [CauldronError?], statementCount: Int, rowCount: Int) {
    self.failures = failures
    self.statementCount = statementCount
    self.rowCount = rowCount
  }
}
