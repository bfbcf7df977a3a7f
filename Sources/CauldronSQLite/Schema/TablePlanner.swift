import CauldronModel

/// Plans the table of a root entity: names, suffixes, groups and order.
struct TablePlanner {
  private let root: EntityLayout
  /// The entities in the order of their numbers in the file: of columns of one name the first entity
  /// has the one without a number.
  private let family: [EntityLayout]
  private let numbers: FileNumbers
  private var used: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  init(root: EntityLayout, _ numbers: FileNumbers) {
    self.root = root
    self.numbers = numbers
    family = root.family.map(\.entity).sorted { numbers[$0] < numbers[$1] }
  }

  mutating func plan() -> TableSchema {
    var columns: [ColumnSchema] = []
    for entity in family {
      for group in 0...5 {
        columns += ordered(ownColumns(of: entity).filter { $0.group == group }, in: entity)
      }
    }
    // The groups span the whole hierarchy; within one, each entity's columns follow its parent's.
    columns = (0...5).flatMap { group in
      columns.filter { $0.group == group } + (group == 0 ? orderKeys(columns) : [])
    }
    return TableSchema(
      name: SQLIdentifier.name(root.name), rootNumber: root.number, isHierarchy: family.count > 1,
      columns: columns, constraints: constraints(columns), indexes: indexes(columns))
  }

  /// The columns of the properties that an entity declares itself, names not yet unique.
  private func ownColumns(of entity: EntityLayout) -> [ColumnSchema] {
    entity.ownProperties.filter(\.hasColumn).map { property in
      let role = property.attributeType.map(ColumnSchema.Role.attribute) ?? .toOne
      return ColumnSchema(
        name: columnName(of: property), role: role, owner: entity.number,
        property: property.index, isExternal: property.hasExternalData)
    }
  }

  /// The end of a one-way relationship has the number of the entity that it leads to, and the name of the
  /// relationship.
  private func columnName(of property: PropertyLayout) -> String {
    guard property.isHidden, let owner = property.destination,
      case .relationship(let end) = property.description, let name = end.inverse
    else { return SQLIdentifier.name(property.name) }
    return "Z\(numbers[owner.entity])\(name.uppercased())"
  }

  /// One group of an entity: attributes by name, then to-one columns by name, each followed by its
  /// entity key; a name that a sibling took gets a number.
  private mutating func ordered(
    _ columns: [ColumnSchema], in entity: EntityLayout
  ) -> [ColumnSchema] {
    let sorted = columns.sorted { a, b in
      if (a.role == .toOne) != (b.role == .toOne) { return b.role == .toOne }
      return a.name < b.name
    }
    return sorted.flatMap { column in
      var column = column
      column.base = column.name
      column.name = unique(column.name)
      guard column.role == .toOne,
        let key = entityKey(column, for: entity.properties[column.property])
      else { return [column] }
      return [column, key]
    }
  }

  private mutating func entityKey(
    _ column: ColumnSchema, for property: PropertyLayout
  ) -> ColumnSchema? {
    guard property.entitySlot != nil, let destination = property.destination?.entity else {
      return nil
    }
    let tail = "_" + column.name.dropFirst()
    return ColumnSchema(
      name: unique("Z\(numbers[destination])\(tail)"), role: .entityKey, owner: column.owner,
      property: column.property, alternatives: ["Z\(numbers[destination.root])\(tail)"])
  }

  /// The order keys of the to-ones whose inverse is ordered, named by them.
  private mutating func orderKeys(_ columns: [ColumnSchema]) -> [ColumnSchema] {
    columns.filter { $0.role == .toOne }.compactMap { column in
      let owner = family.first { $0.number == column.owner }
      guard owner?.properties[column.property].orderSlot != nil else { return nil }
      return ColumnSchema(
        name: unique("Z_FOK_" + column.name.dropFirst()), role: .orderKey, owner: column.owner,
        property: column.property)
    }
  }

  private mutating func unique(_ name: String) -> String {
    var candidate = name
    var number = 0
    while !used.insert(candidate).inserted {
      number += 1
      candidate = "\(name)\(number)"
    }
    return candidate
  }

  private func constraints(_ columns: [ColumnSchema]) -> [TableSchema.Constraint] {
    family.flatMap { entity in
      entity.description.uniquenessConstraints.compactMap { names in
        positions(of: names, in: columns, entity).map {
          TableSchema.Constraint(
            name: "Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))", entity: entity.name,
            properties: names, columns: $0)
        }
      }
    }
  }

  private func indexes(_ columns: [ColumnSchema]) -> [TableSchema.Index] {
    family.flatMap { entity in
      entity.description.indexes.compactMap { index in
        positions(of: index.properties, in: columns, entity).map { positions in
          let falling = zip(index.properties, positions).filter { index.descending.contains($0.0) }
          return TableSchema.Index(
            name: "Z_\(entity.name)_\(index.name)", columns: positions,
            descending: Set(falling.map(\.1)))
        }
      }
    }
  }

  /// The columns of properties; nil where one has none.
  private func positions(
    of names: [String], in columns: [ColumnSchema], _ entity: EntityLayout
  ) -> [Int]? {
    let positions = names.compactMap { name in
      entity.index(of: name).flatMap { index in
        columns.firstIndex { column in
          column.property == index && !column.role.isCompanion
            && family.contains { $0.number == column.owner && entity.isKind(of: $0) }
        }
      }
    }
    return positions.count == names.count && !names.isEmpty ? positions : nil
  }
}
