import CauldronModel
package import CauldronStore

extension PersistentStore {
  /// Writes a plan for a test that does not ask when the commit ends.
  package func save(_ plan: SavePlan, willCommit: () -> Void) throws -> SaveReceipt {
    try save(plan, willCommit: { _ in willCommit() }, didCommit: { _ in })
  }
}
