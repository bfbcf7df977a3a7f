import CauldronModel
import CauldronStore

/// What the data may forbid, as questions that are asked before anything is written.
struct MigrationChecks {
  let mapping: ModelMapping
  let source: StoreSchema
  let destination: StoreSchema
  let file: FileTables

  var list: [MigrationStatements.Check] {
    destination.model.entityLayouts.flatMap { layout -> [MigrationStatements.Check] in
      guard let old = mapping.source(of: layout) else { return [] }
      return mapping.judged(layout).flatMap { checks(of: $0, in: layout, old) }
    } + destination.tables.flatMap(duplicates)
  }

  private func checks(
    of property: PropertyLayout, in layout: EntityLayout, _ entity: EntityLayout
  ) -> [MigrationStatements.Check] {
    guard let old = mapping.source(of: property, in: layout) else { return [] }
    return [
      missing(property, old: old, in: layout, from: entity),
      outOfRange(property, old: old, in: layout, from: entity),
      strayLinks(property, old: old, in: layout, from: entity),
    ].compactMap { $0 }
  }

  private func missing(
    _ property: PropertyLayout, old: PropertyLayout, in layout: EntityLayout,
    from entity: EntityLayout
  ) -> MigrationStatements.Check? {
    guard property.hasColumn, property.isRequired, !old.isRequired, !property.hasDefault,
      let column = column(of: old, in: entity)
    else { return nil }
    return rows(entity).rows(where: "\(sql: column) IS NULL", showing: "Z_PK") {
      .missingValues(of: property, in: layout, state: "has become required", found: $0)
    }
  }

  private func outOfRange(
    _ property: PropertyLayout, old: PropertyLayout, in layout: EntityLayout,
    from entity: EntityLayout
  ) -> MigrationStatements.Check? {
    guard let range = property.attributeType?.integersKept(of: old.attributeType),
      let column = column(of: old, in: entity)
    else { return nil }
    let condition: SQLFragment =
      "\(sql: column) NOT BETWEEN \(bind: range.lowerBound) AND \(bind: range.upperBound)"
    return rows(entity).rows(where: condition, showing: column) {
      .outOfRange(property, in: layout, found: $0)
    }
  }

  /// Links to objects that the relationship does not lead to any more.
  private func strayLinks(
    _ property: PropertyLayout, old: PropertyLayout, in layout: EntityLayout,
    from entity: EntityLayout
  ) -> MigrationStatements.Check? {
    let strays = mapping.strays(of: property, old)
    guard !strays.isEmpty, let destination = old.destination?.entity else { return nil }
    let table = source.table(of: old.join?.entity ?? entity).sqlName
    var (owner, questions) = ("Z_PK", rows(entity))
    var column = column(of: old, in: entity)
    if let join = old.join {
      let ends = join.entity.properties
      owner = source.sqlName(ends[join.near], of: join.entity)
      column = source.sqlName(ends[join.far], of: join.entity)
      questions = RowQuestions(table: table)
    }
    guard let column else { return nil }
    let condition: SQLFragment = """
      (SELECT t.Z_ENT FROM \(sql: source.table(of: destination).sqlName) AS t \
      WHERE t.Z_PK = \(sql: table).\(sql: column)) IN (\(sql: source.numberList(strays)))
      """
    return questions.rows(where: condition, showing: owner) {
      .strayLinks(property, in: layout, found: $0)
    }
  }

  /// Values that will be there twice under a key: it is new, or what fills it makes them equal.
  private func duplicates(in table: TableSchema) -> [MigrationStatements.Check] {
    var migration = TableMigration(
      mapping: mapping, source: source, destination: destination, table: table)
    migration.makesValues = false
    guard !table.isJoin, migration.tables.count == 1, let old = migration.tables.first else {
      return []
    }
    return table.constraints.compactMap { constraint in
      let values = constraint.columns.map { migration.cells(of: table.columns[$0], named: \.name) }
      let columns = Set(values.map(\.text))
      let before = old.constraints.filter { Set($0.columns.map(old.sqlName)) == columns }
      if !before.isEmpty, file.hasConstraints(of: old) { return nil }
      let isNew = !old.constraints.contains { $0.properties == constraint.properties }
      let state = isNew ? "has become unique" : "is unique"
      return RowQuestions(table: old.sqlName, numbers: migration.numbers)
        .duplicates(of: values) {
          .duplicates(constraint, state: state, found: $0)
        }
    }
  }

  private func rows(_ entity: EntityLayout) -> RowQuestions {
    RowQuestions(table: source.table(of: entity).sqlName, numbers: source.familyNumberList(entity))
  }

  private func column(of old: PropertyLayout, in entity: EntityLayout) -> String? {
    source.map(of: entity).properties[old.index].map(source.table(of: entity).sqlName)
  }
}

extension ModelMapping {
  /// The entities of the source to whose objects a relationship has led, and leads no more.
  func strays(of property: PropertyLayout, _ old: PropertyLayout) -> [EntityLayout] {
    guard let now = property.destination?.entity, let before = old.destination?.entity else {
      return []
    }
    return before.family.map(\.entity).filter { entity in
      destination(of: entity).map { !$0.isKind(of: now) } ?? false
    }
  }
}

extension AttributeType {
  /// The integers of another type that this type keeps to the last digit; nil where that is all of them.
  func integersKept(of other: AttributeType?) -> ClosedRange<Int64>? {
    guard let other, other != self, let all = other.integerRange else { return nil }
    let kept: ClosedRange<Int64>? =
      switch self {
      // What the mantissa holds (IEEE 754).
      case .double: -(1 << 53)...(1 << 53)
      case .float: -(1 << 24)...(1 << 24)
      default: integerRange
      }
    guard let kept, kept.lowerBound > all.lowerBound || kept.upperBound < all.upperBound else {
      return nil
    }
    return kept
  }
}

/// Questions about the rows of one table, whose answers must be none.
struct RowQuestions {
  /// The table's name as SQL takes it.
  let table: String
  /// The numbers of the entities whose rows are asked; nil for all rows.
  var numbers: String?

  /// The rows of which a condition holds.
  /// - Parameter shown: What a person is shown of them.
  func rows(
    where condition: SQLFragment, showing shown: String,
    _ problem: @escaping (MigrationStatements.Found) -> CauldronError
  ) -> MigrationStatements.Check {
    MigrationStatements.Check(
      sql: "SELECT \(sql: shown) FROM \(sql: table) WHERE \(sql: scope)\(condition)",
      problem: problem)
  }

  /// Values that are there twice, all taken together; nil is never the same as another.
  func duplicates(
    of values: [SQLFragment], _ problem: @escaping (MigrationStatements.Found) -> CauldronError
  ) -> MigrationStatements.Check {
    // By position, because a value may be an expression with bindings of its own.
    let columns = values.indices.map { "c\($0)" }
    let terms = zip(values, columns).map { "\($0) AS \(sql: $1)" as SQLFragment }
    let shown = columns.joined(separator: " || ', ' || ")
    let isThere = columns.map { "\($0) NOT NULL" }.joined(separator: " AND ")
    let source: SQLFragment =
      "SELECT \(terms.joined(by: ", ")) FROM \(sql: table) WHERE \(sql: scope)1"
    return MigrationStatements.Check(
      sql: """
        SELECT \(sql: shown), count(*) FROM (\(source)) WHERE \(sql: isThere) \
        GROUP BY \(sql: columns.joined(separator: ", ")) HAVING count(*) > 1
        """, problem: problem)
  }

  private var scope: String { numbers.map { "Z_ENT IN (\($0)) AND " } ?? "" }
}
