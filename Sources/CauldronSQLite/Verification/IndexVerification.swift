import CauldronModel
import CauldronStore

/// Looks for the indexes that a table should have; what they are called does not matter.
struct IndexVerification {
  let connection: Connection
  let found: FoundSchema
  let table: TableSchema

  /// An index, by the columns that it begins with.
  private struct Index {
    let columns: [String]
    let isUnique: Bool
    let isPartial: Bool
  }

  var findings: [StoreFinding] {
    get throws {
      let indexes = try indexes()
      return wanted.filter { wanted in
        !indexes.contains { index in
          !index.isPartial
            && (wanted.isUnique
              ? index.isUnique && Set(index.columns) == Set(wanted.columns)
              : index.columns.starts(with: wanted.columns))
        }
      }.map { wanted in
        let list = wanted.columns.joined(separator: ", ")
        return StoreFinding(
          .indexMissing,
          "The table \(table.name) has no \(wanted.isUnique ? "unique " : "")index on \(list).",
          entity: table.isJoin ? nil : found.model.layout(number: table.rootNumber)?.name)
      }
    }
  }

  private func indexes() throws -> [Index] {
    let statement = try Statement(
      connection.handle,
      "SELECT l.name, l.\"unique\", l.partial, i.name FROM pragma_index_list("
        + SQLIdentifier.literal(table.name) + ") AS l, pragma_index_info(l.name) AS i"
        + " ORDER BY l.seq, i.seqno")
    var order: [String] = []
    var indexes: [String: Index] = [:]
    while try statement.step() {
      let name = statement.text(0)
      if indexes[name] == nil { order.append(name) }
      indexes[name] = Index(
        columns: (indexes[name]?.columns ?? []) + [statement.text(3).uppercased()],
        isUnique: statement.integer(1) != 0, isPartial: statement.integer(2) != 0)
    }
    return order.compactMap { indexes[$0] }
  }

  private var wanted: [Index] {
    if table.isJoin {
      let ends = table.columns.filter { $0.role == .toOne }.map(\.name)
      return [plain([ends[1]]), Index(columns: upper(ends), isUnique: true, isPartial: false)]
    }
    var list: [Index] = []
    for (position, column) in table.columns.enumerated()
    where column.role == .toOne && found.has([position], in: table) {
      list.append(plain([column.name]))
    }
    if table.isHierarchy { list.append(plain(["Z_ENT"])) }
    for index in table.indexes where found.has(index.columns, in: table) {
      list.append(plain(index.columns.map { table.columns[$0].name }))
    }
    for constraint in table.constraints where found.has(constraint.columns, in: table) {
      let names = constraint.columns.map { table.columns[$0].name }
      list.append(Index(columns: upper(names), isUnique: true, isPartial: false))
    }
    return list
  }

  private func plain(_ columns: [String]) -> Index {
    Index(columns: upper(columns), isUnique: false, isPartial: false)
  }

  private func upper(_ names: [String]) -> [String] { names.map { $0.uppercased() } }
}
