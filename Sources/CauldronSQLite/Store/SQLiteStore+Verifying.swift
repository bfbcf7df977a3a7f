package import CauldronModel

extension SQLiteStore {
  /// Looks at every page, row and link on a reading connection, in one view of the store; saves go on
  /// meanwhile, and the log grows with them.
  package func verify() throws -> [StoreFinding] {
    let connection = try pool.borrow()
    defer { pool.giveBack(connection) }
    do {
      guard case .store(let metadata, _) = try StoreInspector.read(connection, facts.file) else {
        return []
      }
      var verification = StoreVerification(connection: connection, metadata: metadata)
      verification.model = facts.schema.model
      verification.decodesValues = true
      return try verification.findings()
    } catch let failure as SQLiteFailure {
      throw facts.report(failure).opening()
    }
  }
}
