/// Turns descriptions into layouts: checks them, numbers them, and ties the relationships.
struct ModelBuilder {
  let descriptions: [String: EntityDescription]
  let children: [String: [String]]
  let inverses: InverseTable

  init(entities: [EntityDescription]) throws {
    var byName: [String: EntityDescription] = [:]
    for entity in entities where byName.updateValue(entity, forKey: entity.name) != nil {
      throw CauldronError.modelInvalid("two entities are named \"\(entity.name)\"")
    }
    var children: [String: [String]] = [:]
    for entity in entities {
      guard let parent = entity.superentity else { continue }
      guard byName[parent] != nil else {
        throw CauldronError.modelInvalid(
          "\(entity.name): its superentity \"\(parent)\" is not in the model")
      }
      children[parent, default: []].append(entity.name)
    }
    descriptions = byName
    self.children = children
    inverses = try InverseTable(entities: byName)
  }

  func build() throws -> [EntityLayout] {
    var layouts: [EntityLayout] = []
    let roots = descriptions.values.filter { $0.superentity == nil }.map(\.name)
    for root in CaselessOrder.sorted(roots) { try append(root, parent: nil, to: &layouts) }
    guard layouts.count == descriptions.count else {
      let left = Set(descriptions.keys).subtracting(layouts.map(\.name)).sorted()
      throw CauldronError.modelInvalid(
        "\(left.joined(separator: ", ")): the superentities form a circle")
    }
    try tie(layouts)
    var check = ModelCheck()
    for layout in layouts { check.add(layout) }
    try check.finish()
    VersionHash.fill(layouts)
    return try layouts + joins(of: layouts)
  }

  /// Adds an entity and, below it, its subentities in the order of Core Data.
  private func append(
    _ name: String, parent: EntityLayout?, to layouts: inout [EntityLayout]
  ) throws {
    guard let description = descriptions[name] else { return }
    let position = layouts.count
    let layout = EntityLayout(
      description: description, number: Int32(position + 1),
      properties: try properties(of: description, parent: parent), superentity: parent)
    layouts.append(layout)
    for child in CaselessOrder.sorted(children[name] ?? []) {
      try append(child, parent: layout, to: &layouts)
    }
    layout.family = layouts[position...].map(EntityLayout.Unowned.init)
  }
}
