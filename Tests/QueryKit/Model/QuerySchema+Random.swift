import CauldronModel

extension QuerySchema {
  /// A model with relationships of every kind and attributes of every type.
  static func random(using random: inout KitRandom) -> QuerySchema {
    var maker = SchemaMaker(random: random)
    let schema = maker.make()
    random = maker.random
    return schema
  }
}

private struct SchemaMaker {
  var random: KitRandom
  private var entities: [EntityDescription] = []
  private var count = 0

  init(random: KitRandom) { self.random = random }

  mutating func make() -> QuerySchema {
    // Entities are numbered by their names.
    let names = ["Apple", "Berry", "Cedar", "Daisy", "Elder", "Fern"].shuffled(using: &random)
    for name in names[..<3] { entities.append(EntityDescription(name: name, properties: [])) }
    for name in names[3..<(4 + random.below(3))] {
      let parent = random.pick(entities).name
      entities.append(EntityDescription(name: name, superentity: parent, properties: []))
    }
    if random.once(in: 3), let parent = entities.last?.superentity {
      entities[place(parent)].isAbstract = true
    }
    addAttributes()
    addRelationships()
    addLoneRelationships()
    addIndexes()
    return QuerySchema(entities)
  }

  private func place(_ name: String) -> Int {
    entities.firstIndex { $0.name == name } ?? 0
  }

  private mutating func addAttributes() {
    let wanted: [AttributeType] = [.string, .integer64, .double, .integer16]
    let others = AttributeType.allCases.filter { $0 != .transformable && $0.hasColumn }
    for index in entities.indices {
      let isRoot = entities[index].superentity == nil
      var types = isRoot ? wanted : []
      for _ in 0..<(isRoot ? 5 : 2) { types.append(random.pick(others)) }
      for type in types {
        entities[index].properties.append(
          .attribute(AttributeDescription(name: name(), type: type)))
      }
    }
  }

  /// Some names are words of SQL or of format strings.
  private mutating func name() -> String {
    count += 1
    let words = ["order", "group", "select", "in", "first", "value", "text", "self"]
    return random.once(in: 6) ? "\(random.pick(words))\(count)" : "attr\(count)"
  }

  private mutating func addRelationships() {
    let kinds: [(toMany: Bool, isOrdered: Bool, backToMany: Bool, backIsOrdered: Bool)] = [
      (false, false, true, false), (false, false, true, true), (false, false, false, false),
      (true, false, true, false), (true, true, true, false),
    ]
    // Each kind once, and a few more.
    for kind in kinds + [random.pick(kinds), random.pick(kinds)] {
      count += 1
      let (a, b) = (random.below(entities.count), random.below(entities.count))
      let (there, back) = ("there\(count)", "back\(count)")
      entities[a].properties.append(
        .relationship(
          RelationshipDescription(
            name: there, destination: entities[b].name, inverse: back, isToMany: kind.toMany,
            isOrdered: kind.isOrdered)))
      entities[b].properties.append(
        .relationship(
          RelationshipDescription(
            name: back, destination: entities[a].name, inverse: there, isToMany: kind.backToMany,
            isOrdered: kind.backIsOrdered)))
    }
  }

  /// Relationships that are one-way, or their own inverse, to one and to many.
  private mutating func addLoneRelationships() {
    for isToMany in [false, true] {
      count += 2
      let (a, b) = (random.below(entities.count), random.below(entities.count))
      var lone = RelationshipDescription(
        name: "lone\(count)", destination: entities[b].name, isToMany: isToMany)
      lone.isOneWay = true
      entities[a].properties.append(.relationship(lone))
      let own = random.below(entities.count)
      let name = "own\(count)"
      entities[own].properties.append(
        .relationship(
          RelationshipDescription(
            name: name, destination: entities[own].name, inverse: name, isToMany: isToMany)))
    }
  }

  private mutating func addIndexes() {
    for index in entities.indices where random.once(in: 2) {
      let names = entities[index].properties.compactMap { property -> String? in
        if case .attribute(let attribute) = property { attribute.name } else { nil }
      }
      guard !names.isEmpty else { continue }
      entities[index].indexes = [IndexDescription(name: "by", properties: [random.pick(names)])]
    }
  }
}
