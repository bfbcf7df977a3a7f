import CauldronModel

/// What the data may forbid, as questions that are asked before anything is written.
struct MigrationChecks {
  let mapping: ModelMapping
  let source: StoreSchema
  let destination: StoreSchema

  var list: [MigrationStatements.Check] {
    destination.model.entityLayouts.flatMap { layout -> [MigrationStatements.Check] in
      guard let old = mapping.source(of: layout) else { return [] }
      return mapping.judged(layout).flatMap { checks(of: $0, in: layout, old) }
        + layout.description.uniquenessConstraints.compactMap { unique($0, layout, old) }
    }
  }

  private func checks(
    of property: PropertyLayout, in layout: EntityLayout, _ entity: EntityLayout
  ) -> [MigrationStatements.Check] {
    guard let old = mapping.source(of: property, in: layout), property.hasColumn,
      let column = column(old, entity)
    else { return [] }
    var checks: [MigrationStatements.Check] = []
    if property.isRequired, !old.isRequired, !property.hasDefault {
      checks.append(
        check(entity, "\(sql: column) IS NULL", "Z_PK") { count, keys in
          CauldronError(
            .migrationMissingValue,
            "\(layout.name).\(property.name) has become required, and \(count) objects have no value,"
              + " such as \(keys.map { "p\($0)" }.joined(separator: ", ")).",
            hint: "Give the property a default value, or make it optional."
          ).about(layout, property)
        })
    }
    if let range = property.attributeType?.integerRange, property.attributeType != old.attributeType
    {
      let (least, most) = (range.lowerBound, range.upperBound)
      checks.append(
        check(entity, "\(sql: column) NOT BETWEEN \(bind: least) AND \(bind: most)", column) {
          count, values in
          CauldronError(
            .migrationOutOfRange,
            "\(layout.name).\(property.name) has become \(property.typeName), and \(count) values are"
              + " none, such as \(values.joined(separator: ", ")).",
            hint: "Keep the type, or change the values before."
          ).about(layout, property)
        })
    }
    return checks
  }

  /// Values that are there twice under a key that is new.
  private func unique(
    _ names: [String], _ layout: EntityLayout, _ entity: EntityLayout
  ) -> MigrationStatements.Check? {
    let olds = names.compactMap { name in
      layout.index(of: name).flatMap { mapping.source(of: layout.properties[$0], in: layout) }
    }
    let before = entity.description.uniquenessConstraints
    guard olds.count == names.count, !before.contains(olds.map(\.name)) else { return nil }
    let columns = olds.compactMap { column($0, entity) }
    guard columns.count == olds.count else { return nil }
    let list = columns.joined(separator: ", ")
    let shown = columns.joined(separator: " || ', ' || ")
    let isThere = columns.map { "\($0) NOT NULL" }.joined(separator: " AND ")
    let sql = SQLFragment(
      sql: "SELECT \(shown), count(*) FROM \(source.table(of: entity).sqlName) WHERE \(isThere)"
        + " AND Z_ENT IN (\(numbers(entity))) GROUP BY \(list) HAVING count(*) > 1")
    return MigrationStatements.Check(sql: sql) { count, values in
      CauldronError(
        .migrationNotUnique,
        "\(layout.name): \(names.joined(separator: ", ")) has become unique, and \(count) values are"
          + " there more than once, such as \(values.joined(separator: "; ")).",
        hint: "Merge these objects before."
      ).with { $0.entity = layout.name }
    }
  }

  private func check(
    _ entity: EntityLayout, _ condition: SQLFragment, _ shown: String,
    _ problem: @escaping (Int, [String]) -> CauldronError
  ) -> MigrationStatements.Check {
    let table = source.table(of: entity).sqlName
    let sql: SQLFragment =
      "SELECT \(sql: shown) FROM \(sql: table) WHERE Z_ENT IN (\(sql: numbers(entity))) AND \(condition)"
    return MigrationStatements.Check(sql: sql, problem: problem)
  }

  private func numbers(_ entity: EntityLayout) -> String {
    entity.family.map { "\($0.entity.number)" }.joined(separator: ", ")
  }

  private func column(_ old: PropertyLayout, _ entity: EntityLayout) -> String? {
    source.map(of: entity).properties[old.index].map(source.table(of: entity).sqlName)
  }
}
