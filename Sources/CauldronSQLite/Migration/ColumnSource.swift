import CauldronModel
import CauldronStore

/// What fills a column of a new table, for the rows of one entity.
struct ColumnSource {
  let mapping: ModelMapping
  let source: StoreSchema
  let destination: StoreSchema
  let entity: EntityLayout
  /// What a table of the source is called by now.
  let name: (TableSchema) -> String
  /// The number of the next default that is made anew for each row; nil where none is made.
  let next: Int?

  /// The value in terms of the old table's columns.
  func value(of column: ColumnSchema) -> SQLFragment {
    let property = entity.properties[column.property]
    guard let old = mapping.source(of: property, in: entity) else {
      return column.role.isCompanion ? "NULL" : filled(property)
    }
    switch column.role {
    case .attribute: return attribute(property, from: old)
    case .toOne: return reference(old)
    case .entityKey: return entityKey(old)
    case .orderKey: return orderKey(old)
    }
  }

  private func column(_ old: PropertyLayout) -> String? {
    guard let entity = mapping.source(of: entity),
      let position = source.map(of: entity).properties[old.index]
    else { return nil }
    return source.table(of: entity).sqlName(position)
  }

  private func companion(_ slot: Int?) -> String? {
    guard let slot, let entity = mapping.source(of: entity),
      let position = source.map(of: entity).companions[slot]
    else { return nil }
    return source.table(of: entity).sqlName(position)
  }

  private func attribute(_ property: PropertyLayout, from old: PropertyLayout) -> SQLFragment {
    guard let name = column(old) else { return "NULL" }
    var value = SQLFragment(sql: name)
    let isReal = property.form == .real && old.form != .real
    if isReal { value = "CAST(\(value) AS REAL)" }
    guard property.isRequired, !old.isRequired, property.hasDefault else { return value }
    return "ifnull(\(value), \(filled(property)))"
  }

  /// The default that `value` asks for by its number, if it does.
  func computed(_ column: ColumnSchema) -> (@Sendable () -> AttributeScalar)? {
    guard column.role != .toOne, !column.role.isCompanion,
      case .attribute(let attribute) = entity.properties[column.property].description,
      case .computed(let make) = attribute.defaultValue
    else { return nil }
    return make
  }

  /// The default of a property.
  private func filled(_ property: PropertyLayout) -> SQLFragment {
    guard case .attribute(let attribute) = property.description else { return "NULL" }
    switch attribute.defaultValue {
    case .none: return "NULL"
    case .constant(let scalar): return "\(bind: SQLValue(scalar))"
    case .computed: return next.map { "cauldron_default(\(sql: "\($0)"))" } ?? "NULL"
    }
  }

  /// A reference, without those that lead to rows which are gone.
  private func reference(_ old: PropertyLayout) -> SQLFragment {
    guard old.kind == .toOne, let column = column(old), let destination = old.destination?.entity,
      let owner = mapping.source(of: entity)
    else { return "NULL" }
    let family = destination.family.map(\.entity)
    let left = family.filter { mapping.destination(of: $0) != nil }
    if left.count == family.count { return SQLFragment(sql: column) }
    let table = SQLIdentifier.quoted(name(source.table(of: destination)))
    // It may be the table itself, in which a bare name would be a column of the row that is looked for.
    let outer = SQLIdentifier.quoted(name(source.table(of: owner)))
    return "CASE WHEN (SELECT t.Z_ENT FROM \(sql: table) AS t"
      + " WHERE t.Z_PK = \(sql: outer).\(sql: column)) IN"
      + " (\(sql: source.numberList(left))) THEN \(sql: column) END"
  }

  /// The entity number beside a reference.
  private func entityKey(_ old: PropertyLayout) -> SQLFragment {
    guard let name = column(old), let destination = old.destination?.entity else { return "NULL" }
    let family = destination.family.map(\.entity)
    guard let key = companion(old.entitySlot) else {
      guard let new = mapping.destination(of: destination) else { return "NULL" }
      let number = self.destination.number(of: new)
      return "CASE WHEN \(sql: name) NOT NULL THEN \(sql: "\(number)") END"
    }
    return mapping.renumbered(SQLFragment(sql: key), of: family, from: source, to: self.destination)
  }

  /// The place in an order: the old one, or that of the key.
  private func orderKey(_ old: PropertyLayout) -> SQLFragment {
    if let key = companion(old.orderSlot) { return SQLFragment(sql: key) }
    guard let name = column(old) else { return "NULL" }
    return "CASE WHEN \(sql: name) NOT NULL THEN 1024 * (row_number() OVER"
      + " (PARTITION BY \(sql: name) ORDER BY Z_PK) + 1) END"
  }
}

extension SQLFragment {
  static func + (a: SQLFragment, b: SQLFragment) -> SQLFragment {
    var sum = a
    sum.append(b)
    return sum
  }
}

extension SQLValue {
  /// The value that a column holds for a scalar.
  init(_ scalar: AttributeScalar) {
    switch scalar {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let text): self = .text(Array(text.utf8))
    case .blob(let data): self = .blob([UInt8](data))
    }
  }
}

extension ModelMapping {
  /// The new numbers for those of entities of the source.
  func renumbered(
    _ column: SQLFragment, of family: [EntityLayout], from source: StoreSchema,
    to target: StoreSchema
  ) -> SQLFragment {
    let pairs = family.compactMap { old in
      destination(of: old).map { (source.number(of: old), target.number(of: $0)) }
    }
    if pairs.count == family.count, pairs.allSatisfy({ $0.0 == $0.1 }) { return column }
    let cases = pairs.map { "WHEN \($0.0) THEN \($0.1)" }.joined(separator: " ")
    return pairs.isEmpty ? "NULL" : "CASE \(column) \(sql: cases) END"
  }
}
