import CauldronModel

/// The tables of a model and where each entity's properties lie in them.
struct StoreSchema: Sendable {
  /// The columns of one concrete entity.
  struct ColumnMap: Sendable {
    /// The position of the table in `tables`.
    let table: Int
    /// The table's column of each property; nil for transient and to-many ones.
    var properties: [Int?]
    /// The table's columns of what belongs to a property, by the slots that hold it in a row.
    var companions: [Int: Int]
  }

  let model: ManagedObjectModel
  let tables: [TableSchema]
  /// The numbers that the entities have in the file.
  let numbers: FileNumbers
  private let maps: [ColumnMap]

  /// Plans the schema of a model.
  /// - Parameter numbers: The numbers of its entities in a file; nil for those of a new one.
  /// - Throws: `model.invalid` where two root entities would share a table.
  init(model: ManagedObjectModel, numbers: FileNumbers? = nil) throws {
    let numbers = numbers ?? FileNumbers(model)
    let joins = JoinNames(model, numbers)
    let roots = model.layouts.filter { $0.superentity == nil }
    let tables = roots.map { root in
      if root.isJoin { return JoinPlanner(join: root, names: joins).plan() }
      var planner = TablePlanner(root: root, numbers)
      return planner.plan()
    }
    try Self.checkNames(of: tables, roots: roots)
    self.init(model: model, numbers: numbers, tables: tables)
  }

  /// The same schema with the columns named as a file names them.
  init(model: ManagedObjectModel, numbers: FileNumbers, tables: [TableSchema]) {
    self.model = model
    self.numbers = numbers
    self.tables = tables
    let places = Dictionary(tables.indices.map { (tables[$0].rootNumber, $0) }) { first, _ in first
    }
    var maps: [ColumnMap] = []
    for layout in model.layouts {
      let table = places[layout.root.number] ?? 0
      let parent = layout.superentity.map { maps[Int($0.number) - 1] }
      maps.append(Self.map(layout, table: table, schema: tables[table], parent: parent))
    }
    self.maps = maps
  }

  func table(of layout: EntityLayout) -> TableSchema { tables[map(of: layout).table] }

  /// What a statement selects the rows of an entity from.
  func source(of layout: EntityLayout) -> String {
    let table = table(of: layout)
    return table.isJoin ? table.joinSource(self) : table.sqlName
  }

  func map(of layout: EntityLayout) -> ColumnMap { maps[Int(layout.number) - 1] }

  /// The column of an attribute or to-one relationship, as SQL takes it.
  func sqlName(_ property: PropertyLayout, of layout: EntityLayout) -> String {
    let map = map(of: layout)
    guard let column = map.properties[property.index] else {
      trap("\(layout.name).\(property.name) has no column.")
    }
    return tables[map.table].sqlName(column)
  }

  /// The value of an attribute or to-one relationship as rows are compared by it.
  func sqlValue(_ property: PropertyLayout, of layout: EntityLayout) -> String {
    let name = sqlName(property, of: layout)
    return property.form == .boolean ? "(\(name) <> 0)" : name
  }

  /// The condition that tells an entity's rows from others of its table; empty where all are its.
  func entityCondition(
    _ entity: EntityLayout, includesSubentities: Bool, prefix: String
  ) -> String {
    let count = includesSubentities ? entity.family.count : 1
    if count == entity.root.family.count { return "" }
    if count == 1 { return "\(prefix)Z_ENT = \(number(of: entity))" }
    let numbers = entity.family.map { String(number(of: $0.entity)) }
    return "\(prefix)Z_ENT IN (\(numbers.joined(separator: ",")))"
  }

  private static func map(
    _ layout: EntityLayout, table: Int, schema: TableSchema, parent: ColumnMap?
  ) -> ColumnMap {
    // The slots of a subentity lie elsewhere than its parent's.
    var companions: [Int: Int] = [:]
    var own: [Int: Int] = [:]
    for (position, column) in schema.columns.enumerated()
    where column.owner == layout.number && !column.role.isCompanion {
      own[column.property] = position
    }
    let properties = layout.properties.map { property -> Int? in
      if layout.owner(of: property) === layout { return own[property.index] }
      let inherited = parent?.properties ?? []
      return inherited.indices.contains(property.index) ? inherited[property.index] : nil
    }
    for (position, column) in schema.columns.enumerated() where column.role.isCompanion {
      guard layout.isKind(of: column.owner) else { continue }
      let property = layout.properties[column.property]
      let slot = column.role == .entityKey ? property.entitySlot : property.orderSlot
      if let slot { companions[slot] = position }
    }
    return ColumnMap(table: table, properties: properties, companions: companions)
  }

  private static func checkNames(of tables: [TableSchema], roots: [EntityLayout]) throws {
    var names: [String: String] = ["Z_PRIMARYKEY": "", "Z_METADATA": "", "Z_MODELCACHE": ""]
    for (table, root) in zip(tables, roots) {
      guard let other = names.updateValue(root.name, forKey: table.name) else { continue }
      throw CauldronError.modelInvalid(
        other.isEmpty
          ? "the table of \"\(root.name)\" would be named \(table.name), which stores use themselves"
          : "\"\(other)\" and \"\(root.name)\" would share the table \(table.name)")
    }
  }
}

extension EntityLayout {
  /// Whether the entity is the one with a number, or one of its subentities.
  fileprivate func isKind(of number: Int32) -> Bool {
    self.number == number || (superentity?.isKind(of: number) ?? false)
  }
}
