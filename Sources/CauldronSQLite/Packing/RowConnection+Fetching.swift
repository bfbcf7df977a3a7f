internal import CSQLite
import CauldronModel

extension RowConnection {
  /// Runs a statement that selects rows by a plan; costs one statement.
  ///
  /// The rows are packed while SQLite looks for them; their order is that of the numbers that it
  /// returns, so sorting moves nothing but numbers.
  func fetch(_ statement: Statement, _ plan: PackPlan) throws -> RowSet {
    defer { statement.reset() }
    if plan.readsColumns { return try fetchColumns(statement, plan) }
    packer.pointee.begin(plan)
    var order = PackOrder()
    while try statement.step() { order.append(Int(statement.integer(0))) }
    return packer.pointee.finish(order)
  }

  /// Runs a statement with a plan's `bulkHead`; the rows come in the order of their keys.
  func fetchAll(_ statement: Statement, _ plan: PackPlan) throws -> RowSet {
    defer { statement.reset() }
    packer.pointee.begin(plan)
    if plan.readsColumns {
      try packColumns(statement, plan)
    } else {
      while try statement.step() {}
    }
    return packer.pointee.finishByKey()
  }

  /// Runs a statement of `QueryCompiler.ids()`.
  func fetchIDs(
    _ statement: Statement, _ plan: PackPlan, inBulk: Bool, storeNumber: Int32
  ) throws -> [ManagedObjectID] {
    defer { statement.reset() }
    packer.pointee.beginIDs(plan, storeNumber: storeNumber)
    while try statement.step() {
      if !inBulk { packer.pointee.note(statement.integer(0), statement.integer(1)) }
    }
    guard let ids = packer.pointee.finishIDs(byKey: inBulk) else {
      throw SQLiteFailure(code: SQLITE_MISMATCH, message: "a row cannot be decoded")
    }
    return ids
  }

  /// Packs rows that have too many cells for the arguments of a function.
  private func fetchColumns(_ statement: Statement, _ plan: PackPlan) throws -> RowSet {
    packer.pointee.begin(plan)
    try packColumns(statement, plan)
    return packer.pointee.finish()
  }

  private func packColumns(_ statement: Statement, _ plan: PackPlan) throws {
    let cells = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: plan.argumentCount)
    cells.initialize(repeating: nil, count: plan.argumentCount)
    defer { cells.deallocate() }
    while try statement.step() {
      for column in 0..<plan.argumentCount {
        cells[column] = sqlite3_column_value(statement.handle, Int32(column))
      }
      if packer.pointee.pack(cells) < 0 {
        throw SQLiteFailure(code: SQLITE_MISMATCH, message: "a row cannot be decoded")
      }
    }
  }
}
