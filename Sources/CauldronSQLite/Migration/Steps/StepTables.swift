internal import CSQLite
import CauldronModel
import CauldronStore
import Foundation

/// The tables of a store between what a migration adds and what it takes away.
final class StepTables: MigrationTables {
  let connection: RowConnection
  /// The tables of the model that wrote the store, as they are called by now.
  let old: StoreSchema
  /// The tables of the model.
  let new: StoreSchema
  let mapping: ModelMapping
  /// The last keys that were given, by the numbers of root entities in the file.
  var keys: [Int32: Int64] = [:]
  /// The required properties that were left without a value: entity and index.
  var emptied: Set<StepProperty> = []
  private var indexes: [String: [String]] = [:]
  private var indexCount = 0
  private let didPass: (Int) throws -> Void
  /// How many rows the steps have passed.
  private(set) var passed = 0

  /// - Parameter didPass: Is told how many rows were passed; what it throws ends the migration.
  init(
    _ connection: RowConnection, old: StoreSchema, new: StoreSchema, _ mapping: ModelMapping,
    didPass: @escaping (Int) throws -> Void
  ) {
    self.connection = connection
    self.old = old
    self.new = new
    self.mapping = mapping
    self.didPass = didPass
  }

  func pass(_ rows: Int) throws {
    passed += rows
    try didPass(rows)
  }

  func schema(isOld: Bool) -> StoreSchema { isOld ? old : new }

  private func condition(_ rows: MigrationRows) -> (table: String, numbers: String)? {
    guard let first = rows.entities.first else { return nil }
    let schema = schema(isOld: rows.isGone)
    return (schema.table(of: first).sqlName, schema.numberList(rows.entities))
  }

  func lastKey(of rows: MigrationRows) throws -> Int64 {
    guard let (table, numbers) = condition(rows) else { return 0 }
    return try connection.integer("SELECT max(Z_PK) FROM \(table) WHERE Z_ENT IN (\(numbers))") ?? 0
  }

  func count(of rows: MigrationRows) throws -> Int {
    guard let (table, numbers) = condition(rows) else { return 0 }
    let count = try connection.integer("SELECT count(*) FROM \(table) WHERE Z_ENT IN (\(numbers))")
    return Int(count ?? 0)
  }

  func page(
    of rows: MigrationRows, after key: Int64, through last: Int64, limit: Int
  ) throws -> [MigrationPlace] {
    guard let (table, numbers) = condition(rows) else { return [] }
    let schema = schema(isOld: rows.isGone)
    let statement = try connection.bound(
      """
      SELECT Z_PK, Z_ENT FROM \(sql: table) WHERE Z_PK > \(bind: key) AND Z_PK <= \(bind: last) \
      AND Z_ENT IN (\(sql: numbers)) ORDER BY Z_PK LIMIT \(bind: Int64(limit))
      """)
    defer { statement.reset() }
    var places: [MigrationPlace] = []
    while try statement.step() {
      guard let entity = schema.layout(fileNumber: statement.integer(1)) else { continue }
      places.append(MigrationPlace(entity, statement.integer(0), isGone: rows.isGone))
    }
    return places
  }

  func has(_ place: MigrationPlace) throws -> Bool {
    let schema = schema(isOld: place.isGone)
    let table = schema.table(of: place.entity).sqlName
    let statement = try connection.bound(
      """
      SELECT 1 FROM \(sql: table) WHERE Z_PK = \(bind: place.key) \
      AND Z_ENT = \(bind: Int64(schema.number(of: place.entity)))
      """)
    defer { statement.reset() }
    return try statement.step()
  }

  func value(_ property: MigrationProperty, key: Int64) throws -> AttributeScalar {
    let schema = schema(isOld: property.isOld)
    let statement = try connection.statement(
      "SELECT \(schema.sqlName(property.property, of: property.entity))"
        + " FROM \(schema.table(of: property.entity).sqlName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(1, to: key)
    return try statement.step() ? statement.scalar(property.property) : .null
  }

  func first(
    _ property: PropertyLayout, of entity: EntityLayout, equals value: AttributeScalar
  ) throws -> MigrationPlace? {
    let table = new.table(of: entity)
    let column = new.sqlName(property, of: entity)
    try index(table, on: column)
    let statement = try connection.bound(
      """
      SELECT Z_PK, Z_ENT FROM \(sql: table.sqlName) WHERE \(sql: column) IS \
      \(bind: SQLValue(value)) AND Z_ENT IN (\(sql: new.familyNumberList(entity))) ORDER BY Z_PK LIMIT 1
      """)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return new.layout(fileNumber: statement.integer(1))
      .map { MigrationPlace($0, statement.integer(0)) }
  }
}

/// A property of the model, by number and index.
struct StepProperty: Hashable {
  let entity: Int32
  let index: Int
}

// MARK: - Indexes that only steps need

extension StepTables {
  /// Sees to it that rows are found by a column, for as long as steps run: the indexes of tables that
  /// are written anew are made only afterwards.
  func index(_ table: TableSchema, on column: String) throws {
    if indexes[table.sqlName]?.contains(column) == true { return }
    let found = try connection.integer(
      "SELECT count(*) FROM pragma_index_list(\(SQLIdentifier.literal(table.name))) AS l,"
        + " pragma_index_info(l.name) AS i WHERE i.seqno = 0 AND l.partial = 0"
        + " AND (\(SQLIdentifier.literal(column)) = i.name OR"
        + " \(SQLIdentifier.literal(column)) = '\"' || i.name || '\"')")
    if found == 0 {
      try connection.execute(
        "CREATE INDEX \(SQLIdentifier.quoted(name(indexCount))) ON \(table.sqlName) (\(column))")
      indexCount += 1
    }
    indexes[table.sqlName, default: []].append(column)
  }

  /// Drops them.
  func dropIndexes() throws {
    connection.forgetStatements()
    for number in 0..<indexCount {
      try connection.execute("DROP INDEX \(SQLIdentifier.quoted(name(number)))")
    }
    indexCount = 0
    indexes = [:]
  }

  private func name(_ number: Int) -> String { "Z_STEP_INDEX_\(number)" }
}

extension Statement {
  /// The value in the first column, as values of an attribute are kept in rows.
  fileprivate func scalar(_ property: PropertyLayout) -> AttributeScalar {
    switch sqlite3_column_type(handle, 0) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER:
      switch property.form {
      case .real: return .real(sqlite3_column_double(handle, 0))
      case .decimal, .text: return .text(text(0))
      default: return .integer(integer(0))
      }
    case SQLITE_FLOAT:
      return property.form == .decimal || property.form == .text
        ? .text(text(0)) : .real(sqlite3_column_double(handle, 0))
    case SQLITE_TEXT: return .text(text(0))
    default: return .blob(Data(bytes(0)))
    }
  }
}

/// Rows that steps insert, change and delete.
extension StepTables {
  /// Keeps in mind that a required property may be empty.
  func note(_ property: PropertyLayout, of entity: EntityLayout) {
    guard property.isRequired else { return }
    emptied.insert(StepProperty(entity: entity.owner(of: property).number, index: property.index))
  }

  func key(for entity: EntityLayout) throws -> Int64 {
    let root = new.number(of: entity.root)
    let table = new.table(of: entity).sqlName
    if keys[root] == nil {
      let greatest = try connection.integer(
        "SELECT max(0, ifnull((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root)), 0),"
          + " ifnull((SELECT max(Z_PK) FROM \(table)), 0))")
      keys[root] = greatest ?? 0
    }
    let next = try (keys[root] ?? 0).plus(1, of: "the keys of \(table)")
    keys[root] = next
    return next
  }

  /// Writes the last keys that were given.
  func writeKeys() throws {
    for (root, key) in keys {
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(root)")
      if connection.changes < 1 { throw dropped("Z_PRIMARYKEY does not take the key \(key)") }
    }
  }

  /// The error of a statement that has kept less than it was to.
  private func dropped(_ what: String) -> CauldronError {
    CauldronError(
      .storeCorrupt, "Cannot migrate the store: \(what), and SQLite named no error.",
      hint: "Look whether a trigger or a constraint keeps it from that, or restore a copy.")
  }

  func insert(_ place: MigrationPlace, _ values: [Int: AttributeScalar]) throws {
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var cells: [SQLFragment] = [
      "\(bind: place.key)", "\(bind: Int64(new.number(of: place.entity)))", "1",
    ]
    for property in place.entity.properties where property.hasColumn {
      let value = values[property.index] ?? property.initial
      if value.isNull {
        note(property, of: place.entity)
        continue
      }
      columns.append(new.sqlName(property, of: place.entity))
      cells.append("\(bind: SQLValue(value))")
    }
    try write(
      "INSERT OR ABORT INTO \(sql: new.table(of: place.entity).sqlName)"
        + " (\(sql: columns.joined(separator: ", "))) VALUES (\(cells.joined(by: ", ")))",
      for: place)
    if connection.changes != 1 {
      throw dropped("the table \(new.table(of: place.entity).name) does not keep \(place.id)")
    }
  }

  func update(_ place: MigrationPlace, _ values: [Int: AttributeScalar]) throws {
    var terms: [SQLFragment] = []
    for (index, value) in values.sorted(by: { $0.key < $1.key }) {
      let property = place.entity.properties[index]
      if value.isNull { note(property, of: place.entity) }
      terms.append("\(sql: new.sqlName(property, of: place.entity)) = \(bind: SQLValue(value))")
    }
    try write(
      """
      UPDATE OR ABORT \(sql: new.table(of: place.entity).sqlName) SET \(terms.joined(by: ", ")), \
      Z_OPT = ifnull(Z_OPT, 0) + 1 WHERE Z_PK = \(bind: place.key)
      """, for: place)
    if connection.changes == 0 {
      throw CauldronError(
        .objectNotFound, "Cannot write to \(place.id): it was deleted in the same step.",
        hint: "Write to it before it is deleted, or not at all."
      ).with { $0.entity = place.entity.name }
    }
  }

  private func write(_ fragment: SQLFragment, for place: MigrationPlace) throws {
    do {
      try connection.bound(fragment).run()
    } catch let failure as SQLiteFailure where failure.isUniqueViolation {
      throw CauldronError(
        .migrationNotUnique,
        "\(place.id) would have a unique value that another object has: \(failure.message).",
        hint: "Give it another value, or delete one of the objects."
      ).with { $0.entity = place.entity.name }
    }
  }

  func delete(_ place: MigrationPlace) throws {
    let root = place.entity.rootNumber
    for entity in new.model.layouts {
      for property in entity.ownProperties where property.kind == .toOne {
        guard property.destination?.entity.rootNumber == root else { continue }
        if entity.isJoin {
          try unlinkAll(of: property, in: entity, from: place.key)
        } else {
          try clear(property, of: entity, leadingTo: place.key)
        }
      }
    }
    let statement = try connection.statement(
      "DELETE FROM \(new.table(of: place.entity).sqlName) WHERE Z_PK = ?")
    try statement.bind(1, to: place.key)
    try statement.run()
  }

  private func unlinkAll(of end: PropertyLayout, in join: EntityLayout, from key: Int64) throws {
    let table = new.table(of: join)
    let column = new.sqlName(end, of: join)
    try index(table, on: column)
    let statement = try connection.statement("DELETE FROM \(table.sqlName) WHERE \(column) = ?")
    try statement.bind(1, to: key)
    try statement.run()
  }
}
