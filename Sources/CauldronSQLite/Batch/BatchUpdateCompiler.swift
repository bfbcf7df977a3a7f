import CauldronModel
import CauldronQuery
import CauldronStore

/// Writes an update as one statement, where one can do it with the same meaning.
struct BatchUpdateCompiler {
  let schema: StoreSchema
  let update: BatchUpdate
  let room: StatementRoom

  /// The statement and what its values may be; nil where the rows have to be read.
  ///
  /// That is so where a value follows a relationship, since the statement would see what it has changed
  /// itself; where one has a rule, which SQL does not know; where a constant is surely refused, since
  /// only whoever reads the rows can tell of which; and where a statement has no room for all.
  var compiled: (statement: SQLFragment, limits: [BatchNotes.Limit])? {
    guard update.isOfRows, fits else { return nil }
    var terms: [SQLFragment] = []
    var limits: [BatchNotes.Limit] = []
    for assignment in update.assignments {
      guard let value = value(of: assignment, limits: &limits) else { return nil }
      terms.append("\(sql: schema.sqlName(assignment.property, of: entity)) = \(value)")
    }
    terms.append("Z_OPT = z_next(Z_PK, \(sql: number), Z_OPT)")
    let table = schema.table(of: entity).sqlName
    return ("UPDATE OR ABORT \(sql: table) SET \(terms.joined(by: ", "))\(filter)", limits)
  }

  private var entity: EntityLayout { update.query.entity }

  private var fits: Bool {
    update.query.fits(
      room,
      beside: update.assignments.reduce(StatementCost()) {
        $0 + $1.value.cost(room.chainLength).within(places: 6)
      })
  }

  /// The number of a row's entity, as SQL tells it.
  private var number: String {
    let isMixed = update.query.includesSubentities && entity.family.count > 1
    return isMixed ? "Z_ENT" : "\(schema.number(of: entity))"
  }

  private var filter: SQLFragment {
    let compiler = QueryCompiler(schema: schema, query: update.query, room: room)
    if update.query.limit == nil, update.query.offset == 0 { return compiler.filter }
    return " WHERE Z_PK IN (\(compiler.keys()))"
  }

  private func value(
    of assignment: BatchUpdate.Assignment, limits: inout [BatchNotes.Limit]
  ) -> SQLFragment? {
    let property = assignment.property
    guard property.kind != .toOne else { return nil }
    let sql = PredicateSQL(schema, entity, chainLength: room.chainLength)
    if case .constant(let scalar) = assignment.value {
      guard let kept = property.kept(scalar), isLawful(kept, for: property) else { return nil }
      return sql.placeholder(kept, property)
    }
    guard !entity.family.contains(where: { hasRule($0.entity, for: property) }) else { return nil }
    limits.append(BatchNotes.Limit(property))
    return "z_keep(\(sql: "\(limits.count - 1)"), \(sql.expression(assignment.value)))"
  }

  /// Whether a save would let a value through.
  private func isLawful(_ scalar: AttributeScalar, for property: PropertyLayout) -> Bool {
    if scalar.isNull { return !property.isRequired }
    var builder = RowBuilder()
    let row = builder.set(
      property.index, scalar, of: builder.begin(entity, key: 0), entity)
    return withExtendedLifetime(builder) {
      !property.isLoss(in: row)
        && entity.digest.rules.allSatisfy {
          $0.index != property.index || $0.failure(in: row) == nil
        }
    }
  }

  private func hasRule(_ entity: EntityLayout, for property: PropertyLayout) -> Bool {
    entity.digest.rules.contains { $0.index == property.index }
  }
}

extension PropertyLayout {
  /// Whether a row has something in the place of a value that could not be kept.
  fileprivate func isLoss(in row: RowPointer) -> Bool {
    switch doubt {
    case .unencodable: UnencodableValue.reason(row.bytes(index)) != nil
    case .unstorable(let mark): row.slot(index) == mark.slot
    case .nanText: row.isNaNText(index)
    case .nan, nil: false
    }
  }
}

/// Updates rows by one statement.
struct BatchUpdateWriter {
  let writer: Writer

  /// - Returns: Nil where the rows have to be read; then nothing was written.
  func update(
    _ update: BatchUpdate, willCommit: () -> Void, didCommit: (BatchReceipt?) -> Void
  ) throws -> BatchReceipt? {
    writer.statementCount = 0
    let compiler = BatchUpdateCompiler(
      schema: writer.facts.schema, update: update, room: writer.connection.room)
    guard let (statement, limits) = compiler.compiled else { return nil }
    do {
      try writer.begin()
      let notes = try writer.connection.prepareBatches()
      notes.begin(limits)
      guard try run(statement, with: notes) else {
        try writer.undo()
        return nil
      }
      var receipt = BatchReceipt()
      let changes = writer.connection.changes
      receipt.updated = named(notes.take(), in: update.query.entity)
      let count = receipt.updated.reduce(0) { $0 + $1.keys.count }
      if changes != count {
        throw DroppedRows(
          writer.facts.schema.table(of: update.query.entity),
          "has kept \(changes) of \(DroppedRows.rows(count))")
      }
      guard let first = receipt.updated.first, let key = first.keys.first else {
        try writer.undo()
        receipt.statementCount = writer.statementCount
        return receipt
      }
      let judge = RowJudge(writer: writer)
      let version = try judge.version(of: key, in: first.entity)
      receipt.touched = writer.takeTouched()
      willCommit()
      var committed: BatchReceipt?
      defer { didCommit(committed) }
      try CommitJudge(writer: writer).commit {
        try judge.version(of: key, in: first.entity) == version
      }
      receipt.statementCount = writer.statementCount
      committed = receipt
      return receipt
    } catch let failure as SQLiteFailure {
      writer.connection.rollbackQuietly()
      if failure.isOverflow { throw CauldronError.overflow }
      throw writer.facts.report(failure).saving(0)
    } catch let dropped as DroppedRows {
      writer.connection.rollbackQuietly()
      throw dropped.error("Cannot update", writer.facts.file.path, writer.connection)
    } catch {
      writer.connection.rollbackQuietly()
      throw error
    }
  }

  /// - Returns: Whether all rows could be written.
  private func run(_ fragment: SQLFragment, with notes: BatchNotes) throws -> Bool {
    let statement = try writer.connection.bound(fragment)
    defer { statement.clearBindings() }
    writer.statementCount += 1
    do {
      try statement.run()
      return true
    } catch let failure as SQLiteFailure where failure.concernsOneRow || notes.hasRefused {
      return false
    }
  }

  private func named(
    _ keys: [Int64: [Int64]], in entity: EntityLayout
  ) -> [(entity: EntityLayout, keys: [Int64])] {
    keys.sorted { $0.key < $1.key }.map { number, keys in
      (writer.facts.schema.layout(fileNumber: number) ?? entity, keys)
    }
  }
}
