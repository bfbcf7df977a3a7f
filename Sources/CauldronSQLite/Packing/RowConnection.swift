internal import CSQLite
import CauldronModel

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
      try ExternalData(besideStoreAt: path).register(on: self)
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
  func pointRead(_ entityNumber: Int32, sql: () -> String) throws -> Statement {
    let index = Int(entityNumber)
    if index < pointReads.count, let cached = pointReads[index] { return cached }
    let made = try Statement(handle, sql())
    while pointReads.count <= index { pointReads.append(nil) }
    pointReads[index] = made
    return made
  }
}

extension RowConnection {
  /// The keys of one statement; lists are filled up with NULL, which is no key, so that a few
  /// statements serve all lengths.
  private static let chunks = [512, 128, 16]

  /// One row by key: the path of every fault. The statement is found by number, not by text.
  func row(
    _ key: Int64, in entity: EntityLayout, plan: PackPlan, schema: StoreSchema?
  ) throws -> HeldRow? {
    if entity.isJoin { return try join(key, in: entity, plan: plan) }
    let statement = try pointRead(entity.number) {
      "\(plan.head) WHERE Z_PK = ?\(Self.condition(for: entity, in: schema))"
    }
    try statement.bind(1, to: key)
    if plan.readsColumns {
      return try fetch(statement, with: plan).first
    }
    defer { statement.reset() }
    packer.pointee.begin(plan)
    return try statement.step() ? packer.pointee.finishOne() : nil
  }

  /// Many rows by key, in several statements.
  func rows(
    _ keys: [Int64], in entity: EntityLayout, plan: PackPlan, schema: StoreSchema
  ) throws -> RowSet {
    if entity.isJoin {
      return try keys.reduce(into: RowSet()) { result, key in
        if let row = try join(key, in: entity, plan: plan) { result.append(row) }
      }
    }
    var result = RowSet()
    var rest = Set(keys).sorted()[...]
    let condition = Self.condition(for: entity, in: schema)
    let chunks = Self.chunks.filter { $0 <= greatestKeyCount }
    while !rest.isEmpty {
      let size = chunks.last { $0 >= rest.count } ?? chunks[0]
      let marks = Array(repeating: "?", count: size).joined(separator: ",")
      let statement = try statement("\(plan.bulkHead) WHERE Z_PK IN (\(marks))\(condition)")
      statement.clearBindings()
      for (index, key) in rest.prefix(size).enumerated() {
        try statement.bind(Int32(index + 1), to: key)
      }
      result.append(contentsOf: try fetchAll(statement, with: plan))
      rest = rest.dropFirst(size)
    }
    return result
  }

  /// The most keys that a statement has room for; there is always room for a few.
  private var greatestKeyCount: Int {
    max(Self.chunks.last ?? 1, room.parameters)
  }

  /// A row of a join table, which has no key but its ends'.
  private func join(_ key: Int64, in join: EntityLayout, plan: PackPlan) throws -> HeldRow? {
    let statement = try pointRead(join.number) { "\(plan.head) WHERE \(plan.joinCondition)" }
    let (first, second) = JoinKey.ends(key)
    try statement.bind(1, to: first)
    try statement.bind(2, to: second)
    return try fetch(statement, with: plan).first
  }

  private static func condition(for entity: EntityLayout, in schema: StoreSchema?) -> String {
    schema?.entityCondition(entity, includesSubentities: true, prefix: " AND ") ?? ""
  }
}

extension RowConnection {
  /// Runs a statement that selects rows by a plan; costs one statement.
  ///
  /// The rows are packed while SQLite looks for them; their order is that of the numbers that it
  /// returns, so sorting moves nothing but numbers.
  func fetch(_ statement: Statement, with plan: PackPlan) throws -> RowSet {
    defer { statement.reset() }
    if plan.readsColumns { return try fetchColumns(statement, with: plan) }
    packer.pointee.begin(plan)
    var order = PackOrder()
    while try statement.step() { order.append(Int(statement.integer(0))) }
    return packer.pointee.finish(order)
  }

  /// Runs a statement with a plan's `bulkHead`; the rows come in the order of their keys.
  func fetchAll(_ statement: Statement, with plan: PackPlan) throws -> RowSet {
    defer { statement.reset() }
    packer.pointee.begin(plan)
    if plan.readsColumns {
      try packColumns(statement, with: plan)
    } else {
      while try statement.step() {}
    }
    return packer.pointee.finishByKey()
  }

  /// Runs a statement of `QueryCompiler.ids()`.
  func fetchIDs(
    _ statement: Statement, with plan: PackPlan, inBulk: Bool, storeNumber: Int32
  ) throws -> [ManagedObjectID] {
    defer { statement.reset() }
    packer.pointee.beginIDs(plan, storeNumber: storeNumber)
    while try statement.step() {
      if !inBulk { packer.pointee.note(statement.integer(0), entityNumber: statement.integer(1)) }
    }
    guard let ids = packer.pointee.finishIDs(byKey: inBulk) else {
      throw SQLiteFailure(code: SQLITE_MISMATCH, message: "a row cannot be decoded")
    }
    return ids
  }

  /// Packs rows that have too many cells for the arguments of a function.
  private func fetchColumns(_ statement: Statement, with plan: PackPlan) throws -> RowSet {
    packer.pointee.begin(plan)
    try packColumns(statement, with: plan)
    return packer.pointee.finish()
  }

  private func packColumns(_ statement: Statement, with plan: PackPlan) throws {
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

extension RowConnection {
  /// Registers `z_pack`, which packs a row and returns its number, `z_pack_all`, which packs all
  /// rows of a statement in one step, and `z_ids`, which notes keys in the same way.
  ///
  /// Once: registering a function again would expire the prepared statements.
  func registerPacking() throws {
    var code = sqlite3_create_function_v2(
      handle, "z_pack", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, packer,
      { context, _, values in
        guard let number = packRow(context, values: values) else { return }
        sqlite3_result_int64(context, number)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
    code = sqlite3_create_function_v2(
      handle, "z_pack_all", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, packer, nil,
      { context, _, values in _ = packRow(context, values: values) },
      { context in sqlite3_result_null(context) }, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
    code = sqlite3_create_function_v2(
      handle, "z_ids", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, packer, nil,
      { context, _, values in
        guard let state = sqlite3_user_data(context), let values else { return }
        state.assumingMemoryBound(to: PackState.self).pointee.note(
          sqlite3_value_int64(values[0]), entityNumber: sqlite3_value_int64(values[1]))
      },
      { context in sqlite3_result_null(context) }, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }
}

/// Packs the row that a function was called with; answers its number, or fails the statement.
@inline(__always)
private func packRow(
  _ context: OpaquePointer?, values: UnsafeMutablePointer<OpaquePointer?>?
) -> Int64? {
  guard let state = sqlite3_user_data(context), let values else { return nil }
  let number = state.assumingMemoryBound(to: PackState.self).pointee.pack(values)
  if number >= 0 { return number }
  sqlite3_result_error_code(context, SQLITE_MISMATCH)
  return nil
}
