internal import CSQLite
import CauldronModel

extension Connection {
  /// Runs a statement that selects rows by a plan; costs one statement.
  ///
  /// The rows are packed while SQLite looks for them; their order is that of the numbers that it
  /// returns, so sorting moves nothing but numbers.
  func fetch(_ statement: Statement, _ plan: PackPlan, ordered: Bool) throws -> RowList {
    defer { statement.reset() }
    if plan.readsColumns { return try fetchColumns(statement, plan) }
    packer.pointee.begin(plan)
    guard ordered else {
      while try statement.step() {}
      return packer.pointee.finish()
    }
    var order = PackOrder()
    while try statement.step() { order.append(Int(statement.integer(0))) }
    return packer.pointee.finish(order)
  }

  /// Packs rows that have too many cells for the arguments of a function.
  private func fetchColumns(_ statement: Statement, _ plan: PackPlan) throws -> RowList {
    let cells = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: plan.argumentCount)
    cells.initialize(repeating: nil, count: plan.argumentCount)
    defer { cells.deallocate() }
    packer.pointee.begin(plan)
    while try statement.step() {
      for column in 0..<plan.argumentCount {
        cells[column] = sqlite3_column_value(statement.handle, Int32(column))
      }
      if packer.pointee.pack(cells) < 0 {
        throw SQLiteFailure(code: SQLITE_MISMATCH, message: "a row cannot be decoded")
      }
    }
    return packer.pointee.finish()
  }
}
