/// A connection whose statements can pack the rows that they find.
///
/// A subclass rather than a connection with a part, so that a fault, which reads one row, takes no
/// step more for it.
final class RowConnection: Connection {
  /// Where `z_pack` leaves its rows.
  let packer: UnsafeMutablePointer<PackState>
  private var pointReads: [Statement?] = []
  /// The statements of simple queries.
  private(set) var shapes: [QueryShape: Statement] = [:]
  /// What batches note; nil until the first one.
  var batchNotes: BatchNotes?

  override init(path: String, mode: Mode, busyTimeout: Double) throws {
    let packer = UnsafeMutablePointer<PackState>.allocate(capacity: 1)
    packer.initialize(to: PackState())
    self.packer = packer
    do {
      try super.init(path: path, mode: mode, busyTimeout: busyTimeout)
    } catch {
      // Nothing is deinitialized that was never whole.
      Self.free(packer)
      throw error
    }
  }

  deinit {
    // Statements that end may still look at the packer.
    pointReads.removeAll()
    forgetStatements()
    Self.free(packer)
  }

  private static func free(_ packer: UnsafeMutablePointer<PackState>) {
    packer.pointee.free()
    packer.deinitialize(count: 1)
    packer.deallocate()
  }

  override func forgetStatements() {
    shapes.removeAll()
    super.forgetStatements()
  }

  /// Keeps the statement of a simple query, found without building its text.
  func keep(_ statement: Statement, for shape: QueryShape) {
    if shapes.count >= 64 { shapes.removeAll() }
    shapes[shape] = statement
  }

  /// The statement that reads one row of a table, found without building its text.
  func pointRead(_ entityNumber: Int32, _ sql: () -> String) throws -> Statement {
    let index = Int(entityNumber)
    if index < pointReads.count, let cached = pointReads[index] { return cached }
    let made = try Statement(handle, sql())
    while pointReads.count <= index { pointReads.append(nil) }
    pointReads[index] = made
    return made
  }
}
