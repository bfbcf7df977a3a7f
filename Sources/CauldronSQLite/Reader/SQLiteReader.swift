package import CauldronModel
package import CauldronQuery
import CauldronStore

/// A borrowed reading connection.
package final class SQLiteReader: StoreReader {
  let facts: StoreFacts
  private let pool: ReaderPool
  private var connection: RowConnection?
  package var cancellation: Cancellation?

  init(_ facts: StoreFacts, _ pool: ReaderPool) throws {
    self.facts = facts
    self.pool = pool
    connection = try pool.borrow()
  }

  deinit { finish() }

  /// Fixes the view; costs two statements, none of which reads more than one page.
  package func pin() throws {
    let connection = try open()
    do {
      if connection.isInTransaction { try connection.run("COMMIT") }
      try connection.run("BEGIN")
      // BEGIN alone takes no snapshot; the first read does
      // (https://www.sqlite.org/lang_transaction.html).
      try connection.run("SELECT Z_VERSION FROM Z_METADATA")
      try facts.checkTables(connection)
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      throw facts.report(failure).reading("Z_METADATA")
    }
  }

  /// The rows of a query; costs one statement.
  package func fetch(_ query: StoreQuery) throws -> RowSet {
    if query.limit.map({ $0 <= 0 }) == true { return RowSet() }
    if let key = query.onlyKey { return RowSet(try row(key, of: query.entity)) }
    let plan = facts.plan(query)
    let shape = QueryShape(query)
    let known = try shape.flatMap { try open().shapes[$0] }
    if known == nil, let rows = try filteredRows(query) { return rows }
    return try reading(query.entity) { connection in
      try known?.bind(QueryShape.values(of: query))
      let statement =
        try known ?? newStatement(for: query, shape: shape, plan: plan, on: connection)
      return try run(statement, for: query, plan: plan, on: connection)
    }
  }

  /// The IDs of the rows of a query; costs one statement, which reads no attribute.
  package func ids(_ query: StoreQuery, storeNumber: Int32) throws -> [ManagedObjectID] {
    if query.limit.map({ $0 <= 0 }) == true { return [] }
    if let list = try filteredRows(query) { return list.ids(storeNumber) }
    return try reading(query.entity) { connection in
      let compiler = QueryCompiler(schema: facts.schema, query: query, room: connection.room)
      let statement = try connection.bound(compiler.ids())
      defer { statement.clearBindings() }
      return try connection.fetchIDs(
        statement, with: facts.plan(query), inBulk: compiler.packsInBulk, storeNumber: storeNumber)
    }
  }

  /// The row of an entity or its subentities with a key; costs one statement.
  package func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    try reading(entity) { connection in
      try connection.row(key, in: entity, plan: facts.plans.family(entity), schema: facts.schema)
    }
  }

  /// The rows of an entity and its subentities with the given keys; costs one statement for each
  /// 256 keys.
  package func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    let plan = facts.plans.family(entity)
    return try reading(entity) { connection in
      if keys.count == 1 {
        return RowSet(try connection.row(keys[0], in: entity, plan: plan, schema: facts.schema))
      }
      return try inOneView(connection) {
        try connection.rows(keys, in: entity, plan: plan, schema: facts.schema)
      }
    }
  }

  /// How many rows a query selects; costs one statement.
  package func count(_ query: StoreQuery) throws -> Int {
    if let list = try filteredRows(query) { return list.count }
    return try reading(query.entity) { connection in
      let compiler = QueryCompiler(schema: facts.schema, query: query, room: connection.room)
      let statement = try connection.bound(compiler.count())
      defer {
        statement.reset()
        statement.clearBindings()
      }
      guard try statement.step() else { return 0 }
      let count = max(0, Int(statement.integer(0)) - max(0, query.offset))
      return min(count, max(0, query.limit ?? count))
    }
  }

  /// The greatest key in the table of a hierarchy; costs one statement, which looks at one row.
  package func greatestKey(of root: EntityLayout) throws -> Int64 {
    try reading(root) { connection in
      let table = facts.schema.table(of: root).sqlName
      let statement = try connection.statement("SELECT max(Z_PK) FROM \(table)")
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) : 0
    }
  }

  /// Ends the view and gives the connection back; costs one statement where the view was fixed.
  package func finish() {
    guard let connection else { return }
    self.connection = nil
    if connection.isInTransaction { try? connection.run("COMMIT") }
    connection.rollbackQuietly()
    pool.giveBack(connection)
  }

  func open() throws -> RowConnection {
    guard let connection else { trap("A reader was used after finish().") }
    return connection
  }

  @inline(__always)
  func reading<R>(_ entity: EntityLayout, _ body: (RowConnection) throws -> R) throws -> R {
    let connection = try open()
    do {
      let result: R
      if let cancellation {
        result = try connection.run(until: cancellation) { try body(connection) }
      } else {
        result = try body(connection)
      }
      try facts.checkTables(connection)
      return result
    } catch let failure as SQLiteFailure {
      if let migrated = facts.reasonOfFailure(connection) { throw migrated }
      if failure.isOverflow { throw CauldronError.overflow }
      throw facts.readingError(failure, packing: connection.packer.pointee.failure, in: entity)
    }
  }

  /// Runs several statements in one transaction, so that they see one moment.
  private func inOneView<R>(_ connection: RowConnection, _ body: () throws -> R) throws -> R {
    guard !connection.isInTransaction else { return try body() }
    try connection.run("BEGIN")
    defer {
      try? connection.run("COMMIT")
      connection.rollbackQuietly()
    }
    return try body()
  }
}

extension SQLiteReader {
  /// The lines of a value query; costs one statement, which reads no column more than they need.
  package func values(_ query: ValueQuery) throws -> [[AttributeScalar]] {
    if query.limit.map({ $0 <= 0 }) == true { return [] }
    // What a statement has no room for is asked of the rows.
    if !query.fits(try open().room) {
      return try ValueEvaluation(query, StoredRowSource(self)).lines(try fetch(query.rows))
    }
    return try reading(query.rows.entity) { connection in
      let compiler = ValueCompiler(
        schema: facts.schema, query: query, room: connection.room)
      let statement = try connection.bound(compiler.statement)
      defer {
        statement.reset()
        statement.clearBindings()
      }
      var lines: [[AttributeScalar]] = []
      while try statement.step() {
        lines.append(
          query.columns.enumerated().map { $1.normal(statement.scalar(Int32($0))) })
      }
      return lines
    }
  }

  /// The rows of a query with some attributes alone; costs one statement, which reads no other column.
  package func columns(_ properties: [PropertyLayout], of query: StoreQuery) throws -> RowSet {
    if query.limit.map({ $0 <= 0 }) == true { return RowSet() }
    if let rows = try filteredRows(query) { return rows }
    return try reading(query.entity) { connection in
      let layouts = query.includesSubentities ? query.entity.family.map(\.entity) : [query.entity]
      let plan = PackPlan(layouts, facts.schema, only: Set(properties.map(\.index)))
      let compiler = QueryCompiler(schema: facts.schema, query: query, room: connection.room)
      return try run(connection.bound(compiler.rows(plan)), for: query, plan: plan, on: connection)
    }
  }
}

extension SQLiteReader {
  /// The rows of a query that is too large for a statement: the statement selects by what it has room
  /// for, and the rest is asked of its rows.
  /// - Returns: Nil where the statement has room for everything.
  /// - Complexity: One statement, and a test of each row that it finds.
  func filteredRows(_ query: StoreQuery) throws -> RowSet? {
    let split = PredicateSplit(query, try open().room)
    if split.inMemory == nil, split.sortsInSQL { return nil }
    var part = query
    part.predicate = split.inSQL
    part.limit = nil
    part.offset = 0
    if !split.sortsInSQL { part.sort = [] }
    let found = try fetch(part)
    if split.sortsInSQL {
      return try filter(found, by: split.inMemory, offset: query.offset, limit: query.limit ?? .max)
    }
    let all = try filter(found, by: split.inMemory)
    let matcher = GraphMatcher(query, StoredRowSource(self))
    return try all.withRows { rows in
      RowSet(Array(query.page(try matcher.sort(Array(rows)))), among: all.memory)
    }
  }

  /// Those of some rows for which a condition holds.
  private func filter(
    _ rows: RowSet, by predicate: BoundPredicate?, offset: Int = 0, limit: Int = .max
  ) throws -> RowSet {
    guard let predicate else { return rows }
    if predicate.isPlain {
      return rows.filter(offset: offset, limit: limit, RowTest(predicate).matches)
    }
    let holds = try rows.withRows {
      try RowEvaluation(StoredRowSource(self)).holds(predicate, Array($0))
    }
    var rest = holds[...]
    return rows.filter(offset: offset, limit: limit) { _ in rest.removeFirst() }
  }
}

extension SQLiteReader {
  /// A statement for a query's rows, its values bound; the connection keeps it for queries of the same
  /// shape.
  private func newStatement(
    for query: StoreQuery, shape: QueryShape?, plan: PackPlan, on connection: RowConnection
  ) throws -> Statement {
    let compiler = QueryCompiler(schema: facts.schema, query: query, room: connection.room)
    let fragment = compiler.rows(plan)
    let statement = try connection.bound(fragment)
    // A condition may be written with other values than it has.
    if let shape, fragment.values == QueryShape.values(of: query) {
      connection.keep(statement, for: shape)
    }
    return statement
  }

  /// The rows that a query's statement selects, packed by a plan.
  func run(
    _ statement: Statement, for query: StoreQuery, plan: PackPlan, on connection: RowConnection
  ) throws -> RowSet {
    defer { statement.clearBindings() }
    return try query.packsInBulk
      ? connection.fetchAll(statement, with: plan) : connection.fetch(statement, with: plan)
  }
}
