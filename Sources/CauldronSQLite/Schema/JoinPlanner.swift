import CauldronModel

/// Plans the table of a many-to-many relationship: `Z_5LABELS ( Z_5CONVERSATIONS, Z_8LABELS )`.
///
/// The entity with the lower number gives the table its name; a column holds the keys of the objects
/// that the relationship of its name leads to.
struct JoinPlanner {
  let join: EntityLayout
  let names: JoinNames

  func plan() -> TableSchema {
    TableSchema(
      name: names[join].table, rootNumber: join.number, isHierarchy: false,
      columns: join.properties.flatMap(columns), constraints: [], isJoin: true)
  }

  private func columns(_ end: PropertyLayout) -> [ColumnSchema] {
    let name = names[join].columns[end.index]
    let column = ColumnSchema(
      name: name, role: .toOne, owner: join.number, property: end.index,
      base: names[join].bases[end.index])
    var columns = [column]
    if end.entitySlot != nil {
      // Not in the file, which leaves it to the table of the objects.
      columns.append(
        ColumnSchema(
          name: "\(name)_ENT", role: .entityKey, owner: join.number, property: end.index))
    }
    if end.orderSlot != nil {
      columns.append(
        ColumnSchema(
          name: JoinNames.orderKey(of: name), role: .orderKey, owner: join.number,
          property: end.index))
    }
    return columns
  }
}

extension TableSchema {
  /// The statement that makes a join table.
  var joinCreationStatement: String {
    let ends = sqlEnds
    let orders = orderColumns.map { " \($0) INTEGER," }.joined()
    return "CREATE TABLE \(sqlName) ( \(ends[0]) INTEGER, \(ends[1]) INTEGER,\(orders)"
      + " PRIMARY KEY (\(ends[0]), \(ends[1])) )"
  }

  /// The index by which links are found from their other end.
  var joinIndexStatement: IndexStatement {
    let ends = sqlEnds
    let last = columns.last { $0.role == .toOne }?.name ?? ""
    return IndexStatement("\(name)_\(last)_INDEX", on: sqlName, "\(ends[1]), \(ends[0])")
  }

  private var sqlEnds: [String] {
    columns.filter { $0.role == .toOne }.map { SQLIdentifier.quoted($0.name) }
  }

  /// The columns of order keys, as SQL takes them.
  var orderColumns: [String] {
    columns.filter { $0.role == .orderKey }.map { SQLIdentifier.quoted($0.name) }
  }

  /// Links have no version; those with another place are not the same.
  private var version: String {
    let places = orderColumns.enumerated().map { "ifnull(\($1), 0) * \(31 * $0 + 1)" }
    return places.isEmpty ? "1" : "(1 + (\(places.joined(separator: " + ")) & 1073741823))"
  }

  /// A join table as rows with a key, in place of the table's name: SQLite takes it apart again, so
  /// that it costs nothing (https://www.sqlite.org/optoverview.html#subquery_flattening).
  func joinSource(_ schema: StoreSchema) -> String {
    let ends = columns.filter { $0.role == .toOne }.map { SQLIdentifier.quoted($0.name) }
    let numbers = columns.filter { $0.role == .entityKey }.compactMap { column -> String? in
      guard let join = schema.model.layout(number: rootNumber),
        let end = join.properties[column.property].destination?.entity
      else { return nil }
      return "(SELECT Z_ENT FROM \(schema.table(of: end).sqlName) WHERE Z_PK ="
        + " \(ends[column.property])) AS \(SQLIdentifier.quoted(column.name))"
    }
    let list =
      ["(\(ends[0]) << 32 | \(ends[1])) AS Z_PK", "\(rootNumber) AS Z_ENT", "\(version) AS Z_OPT"]
      + ends + orderColumns + numbers
    return "(SELECT \(list.joined(separator: ", ")) FROM \(sqlName)"
      + " WHERE \(ends[0]) NOT NULL AND \(ends[1]) NOT NULL)"
  }
}

/// The names of join tables and their columns, as Core Data gives them.
///
/// A column has the number of the entity whose keys it holds and the name of the relationship that leads
/// there. Where two joins would have a column of one name, `1` is appended to the second one.
struct JoinNames {
  struct Names {
    /// `Z_5LABELS`: named by the entity of the lower number.
    let table: String
    /// The columns of both ends, in the order of the ends.
    var columns: [String]
    /// The same before a number was appended.
    let bases: [String]
  }

  /// An end of a join, beside which another join may have an end of the same name.
  private struct End {
    let join: EntityLayout
    let index: Int
    /// The entity that the column's relationship leads from.
    let source: String
  }

  /// The second column of a relationship that is its own inverse.
  static let reflexive = "REFLEXIVE"

  private var names: [Int32: Names] = [:]

  init(_ model: ManagedObjectModel, _ numbers: FileNumbers) {
    var ends: [End] = []
    for join in model.layouts where join.isJoin {
      let sides = join.properties.compactMap(Self.side)
      guard sides.count == 2 else { continue }
      let bases = Self.columns(of: sides, by: numbers)
      let first = numbers[sides[1].entity] < numbers[sides[0].entity] ? sides[1] : sides[0]
      names[join.number] = Names(
        table: "Z_\(numbers[first.entity])\(first.property.name.uppercased())", columns: bases,
        bases: bases)
      ends += [0, 1].map { End(join: join, index: $0, source: sides[1 - $0].entity.name) }
    }
    var used: Set<String> = []
    for end in ends.sorted(by: { CaselessOrder.precedes($0.source, $1.source) }) {
      guard let base = names[end.join.number]?.bases[end.index], base != Self.reflexive else {
        continue
      }
      var (name, number) = (base, 0)
      while !used.insert(name).inserted {
        number += 1
        name = "\(base)\(number)"
      }
      names[end.join.number]?.columns[end.index] = name
    }
  }

  /// The names of both columns, not yet unique. Of a relationship that is its own inverse the second one has a
  /// name that is the same everywhere.
  private static func columns(
    of sides: [(entity: EntityLayout, property: PropertyLayout)], by numbers: FileNumbers
  ) -> [String] {
    let isOwnInverse = sides[1].property.isHidden
    return [0, 1].map { end in
      if isOwnInverse, end == 1 { return Self.reflexive }
      let property = sides[isOwnInverse ? 0 : 1 - end].property
      return "Z_\(numbers[sides[end].entity])\(property.name.uppercased())"
    }
  }

  /// The entity whose keys an end holds, and its relationship.
  private static func side(
    _ end: PropertyLayout
  ) -> (entity: EntityLayout, property: PropertyLayout)? {
    end.destination.map { ($0.entity, $0.entity.properties[$0.inverse]) }
  }

  /// The column of the places beside an end.
  static func orderKey(of end: String) -> String {
    "Z_FOK_\(end.hasPrefix("Z_") ? String(end.dropFirst(2)) : end)"
  }

  subscript(join: EntityLayout) -> Names {
    names[join.number] ?? Names(table: "Z_\(join.number)", columns: [], bases: [])
  }
}
