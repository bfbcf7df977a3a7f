import CauldronModel

/// What has to hold once steps have run, as questions whose answers must be no rows.
struct StepChecks {
  let mapping: ModelMapping
  /// The model's tables.
  let tables: StoreSchema
  /// The names of the tables whose unique indexes are there and have seen each change.
  let kept: Set<String>
  /// The required properties that steps have left without a value.
  let emptied: Set<StepProperty>

  var list: [MigrationStatements.Check] {
    tables.model.entityLayouts.flatMap { layout in
      layout.ownProperties.filter(\.hasColumn).flatMap { checks(of: $0, in: layout) }
        + layout.description.uniquenessConstraints.compactMap { unique($0, layout) }
    }
  }

  private func checks(
    of property: PropertyLayout, in layout: EntityLayout
  ) -> [MigrationStatements.Check] {
    let column = tables.sqlName(property, of: layout)
    var checks: [MigrationStatements.Check] = []
    if property.isRequired, mayBeEmpty(property, layout) {
      checks.append(
        check(layout, "\(sql: column) IS NULL", "Z_PK") { count, keys in
          CauldronError(
            .migrationMissingValue,
            "\(layout.name).\(property.name) is required, and \(count) objects have no value after the"
              + " steps, such as \(keys.map { "p\($0)" }.joined(separator: ", ")).",
            hint: "Give each object a value in a step, or make the property optional."
          ).about(layout, property)
        })
    }
    if let range = property.attributeType?.integerRange, isNarrowed(property, layout) {
      let (least, most) = (range.lowerBound, range.upperBound)
      checks.append(
        check(layout, "\(sql: column) NOT BETWEEN \(bind: least) AND \(bind: most)", column) {
          count, values in
          CauldronError(
            .migrationOutOfRange,
            "\(layout.name).\(property.name) has become \(property.typeName), and \(count) values are"
              + " none after the steps, such as \(values.joined(separator: ", ")).",
            hint: "Keep the type, or change the values in a step."
          ).about(layout, property)
        })
    }
    return checks
  }

  /// Whether rows may be without a value: it is required anew, or a step has taken it away.
  private func mayBeEmpty(_ property: PropertyLayout, _ layout: EntityLayout) -> Bool {
    if emptied.contains(StepProperty(entity: layout.number, index: property.index)) { return true }
    if property.hasDefault { return false }
    return olds(property, layout).contains { $0?.isRequired != true }
  }

  private func isNarrowed(_ property: PropertyLayout, _ layout: EntityLayout) -> Bool {
    olds(property, layout).contains {
      $0.map { $0.attributeType != property.attributeType } ?? false
    }
  }

  /// What the property goes on with, in each entity that has old objects.
  private func olds(_ property: PropertyLayout, _ layout: EntityLayout) -> [PropertyLayout?] {
    layout.family.map(\.entity).filter { mapping.source(of: $0) != nil }
      .map { mapping.source(of: $0.properties[property.index], in: $0) }
  }

  private func unique(_ names: [String], _ layout: EntityLayout) -> MigrationStatements.Check? {
    let table = tables.table(of: layout)
    guard !kept.contains(table.name) else { return nil }
    let columns = names.compactMap { layout.index(of: $0) }
      .map { tables.sqlName(layout.properties[$0], of: layout) }
    let shown = columns.joined(separator: " || ', ' || ")
    let isThere = columns.map { "\($0) NOT NULL" }.joined(separator: " AND ")
    let sql = SQLFragment(
      sql: "SELECT \(shown), count(*) FROM \(table.sqlName) WHERE \(isThere)"
        + " AND Z_ENT IN (\(numbers(layout))) GROUP BY \(columns.joined(separator: ", "))"
        + " HAVING count(*) > 1")
    return MigrationStatements.Check(sql: sql) { count, values in
      CauldronError(
        .migrationNotUnique,
        "\(layout.name): \(names.joined(separator: ", ")) is unique, and \(count) values are there more"
          + " than once after the steps, such as \(values.joined(separator: "; ")).",
        hint: "Merge these objects in a step."
      ).with { $0.entity = layout.name }
    }
  }

  private func check(
    _ layout: EntityLayout, _ condition: SQLFragment, _ shown: String,
    _ problem: @escaping (Int, [String]) -> CauldronError
  ) -> MigrationStatements.Check {
    let table = tables.table(of: layout).sqlName
    return MigrationStatements.Check(
      sql: "SELECT \(sql: shown) FROM \(sql: table) WHERE Z_ENT IN (\(sql: numbers(layout)))"
        + " AND \(condition)", problem: problem)
  }

  private func numbers(_ layout: EntityLayout) -> String {
    layout.family.map { "\($0.entity.number)" }.joined(separator: ", ")
  }
}
