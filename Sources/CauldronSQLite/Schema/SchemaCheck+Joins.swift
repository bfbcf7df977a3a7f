import CauldronModel

extension SchemaCheck {
  /// The join tables as the file has them, in the order of the plan; costs a statement where the model
  /// has any.
  ///
  /// A join table is known by what its columns hold, which their names say: the number of an entity and the
  /// name of the relationship that leads there. Either of two relationships of one entity may name the
  /// table, migrations keep old names, and where two joins have a column of one name either may have got
  /// another number behind it.
  func resolveJoins() throws -> [Int32: Result<TableSchema, Mismatch>] {
    let joins = planned.tables.filter(\.isJoin)
    guard !joins.isEmpty else { return [:] }
    let found = try joinTables()
    var fits = joins.enumerated().flatMap { index, join in
      found.indices.compactMap { table in
        JoinFit(join, found[table]).map { (join: index, table: table, fit: $0) }
      }
    }
    fits.sort { $0.fit.grade > $1.fit.grade }
    var chosen: [Int: (table: Int, fit: JoinFit)] = [:]
    var (taken, undecided): (Set<Int>, Set<Int>) = ([], [])
    for fit in fits
    where chosen[fit.join] == nil && !undecided.contains(fit.join) && !taken.contains(fit.table) {
      let others = fits.filter {
        $0.join == fit.join && $0.fit.grade == fit.fit.grade && !taken.contains($0.table)
      }
      guard others.count == 1 else {
        // Two tables that serve as well tell nothing.
        undecided.insert(fit.join)
        continue
      }
      chosen[fit.join] = (fit.table, fit.fit)
      taken.insert(fit.table)
    }
    var result: [Int32: Result<TableSchema, Mismatch>] = [:]
    for (index, join) in joins.enumerated() {
      result[join.rootNumber] =
        chosen[index].map { .success($0.fit.table) }
        ?? .failure(unknown(join, count: fits.filter { $0.join == index }.count))
    }
    return result
  }

  private func unknown(_ join: TableSchema, count: Int) -> Mismatch {
    let ends = join.columns.filter { $0.role == .toOne }.map(\.name).joined(separator: " and ")
    return Mismatch(
      what: "\(count) tables have the columns \(ends), which should be those of \(join.name)",
      code: count == 0 ? .storeCorrupt : .storeUnsupported, hint: Self.otherProgram)
  }

  /// The tables that may hold links, with the columns that may.
  private func joinTables() throws -> [JoinFit.Found] {
    let entities = Set(planned.tables.filter { !$0.isJoin }.map { $0.name.uppercased() })
    let statement = try Statement(
      connection.handle,
      "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
        + " WHERE m.type = 'table' AND (upper(c.name) GLOB 'Z_[0-9]*'"
        + " OR upper(c.name) GLOB 'Z_FOK_[0-9R]*' OR upper(c.name) = '\(JoinNames.reflexive)')"
        + " ORDER BY m.name, c.cid")
    var tables: [JoinFit.Found] = []
    while try statement.step() {
      let name = statement.text(0)
      if entities.contains(name.uppercased()) { continue }
      if tables.last?.name != name { tables.append(JoinFit.Found(name: name, columns: [])) }
      tables[tables.count - 1].columns.append(statement.text(1))
    }
    return tables
  }

  /// What is wrong with the keys of a join table: a join's key has half a word for each end.
  func wrongKey(in table: TableSchema) throws -> Mismatch? {
    for end in table.columns where end.role == .toOne {
      let name = SQLIdentifier.quoted(end.name)
      // Apart, so that each is found by an index.
      for key in try ["max", "min"].compactMap({
        try connection.integer("SELECT \($0)(\(name)) FROM \(table.sqlName)")
      }) {
        if key > JoinKey.greatestEnd {
          return Mismatch(
            what: "\(table.name) links an object with the key \(key); the greatest possible is"
              + " \(JoinKey.greatestEnd)", code: .storeUnsupported,
            hint: "Copy the data to a new store.")
        }
        if key < 0 {
          return Mismatch(
            what: "\(table.name) links an object with the key \(key), and keys count from 1")
        }
      }
    }
    return nil
  }
}

/// A table of the file that may be a join table of the model.
struct JoinFit {
  struct Found {
    let name: String
    var columns: [String]
  }

  /// The join table with the names of the file.
  private(set) var table: TableSchema
  /// How well it fits: columns of the planned names are better than those with another number behind, and
  /// these than those with another entity's number.
  private(set) var grade = 0

  /// Nil where the table has no columns for both ends.
  init?(_ join: TableSchema, _ found: Found) {
    table = join
    table.name = found.name
    let ends = join.columns.indices.filter { join.columns[$0].role == .toOne }
    var taken: Set<String> = []
    for position in ends {
      let column = join.columns[position]
      let grades = found.columns.filter { !taken.contains($0) }
        .map { (name: $0, grade: Self.grade($0, for: column)) }
      guard let best = grades.max(by: { $0.grade < $1.grade }), best.grade > 0 else { return nil }
      taken.insert(best.name)
      grade += 2 * best.grade
      table.columns[position].name = best.name
      rename(column, to: best.name, in: found)
    }
    if join.name.uppercased() == found.name.uppercased() { grade += 1 }
  }

  /// What belongs to an end is named like its column.
  private mutating func rename(_ end: ColumnSchema, to name: String, in found: Found) {
    for position in table.columns.indices where table.columns[position].property == end.property {
      switch table.columns[position].role {
      case .entityKey: table.columns[position].name = "\(name)_ENT"
      case .orderKey:
        let candidates = [name, end.name, end.base].map { JoinNames.orderKey(of: $0).uppercased() }
        let match = candidates.lazy.compactMap { wanted in
          found.columns.first { $0.uppercased() == wanted }
        }.first
        if let match { table.columns[position].name = match }
      case .attribute, .toOne: break
      }
    }
  }

  /// 0 for a column that holds something else.
  private static func grade(_ name: String, for column: ColumnSchema) -> Int {
    let (name, base) = (name.uppercased(), column.base.uppercased())
    if name == column.name.uppercased() { return 3 }
    if isNumbered(name, from: base) { return 2 }
    let relationship = base.dropFirst(2).drop(while: \.isNumber)
    guard name.hasPrefix("Z_"), let digit = name.dropFirst(2).first, digit.isNumber else {
      return 0
    }
    let tail = name.dropFirst(2).drop(while: \.isNumber)
    return isNumbered(String(tail), from: String(relationship)) ? 1 : 0
  }

  /// Whether a name is another one with digits behind, or without.
  private static func isNumbered(_ name: String, from base: String) -> Bool {
    name.hasPrefix(base) && name.dropFirst(base.count).allSatisfy(\.isNumber)
  }
}
