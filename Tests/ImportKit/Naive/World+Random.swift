import CauldronImport
import CauldronModel

extension World {
  /// A few objects with values and links.
  static func random(_ shape: Shape, using random: inout ImportRandom) -> World {
    var world = World(shape)
    for _ in 0..<random.below(9) { world.add(using: &random) }
    for id in world.ids {
      guard let entity = world.objects[id]?.entity else { continue }
      for relationship in shape.relationships(entity) where random.once(in: 2) {
        let others = world.ids.filter {
          world.objects[$0].map { shape.isKind($0.entity, of: relationship.destination) } ?? false
        }
        for other in others.shuffled(using: &random).prefix(random.below(3)) {
          world.link(id, relationship, other)
        }
      }
    }
    return world
  }

  private mutating func add(using random: inout ImportRandom) {
    let entity = random.pick(shape.concrete)
    let id = insert(entity)
    for attribute in shape.attributes(entity) {
      let isKey =
        attribute.name == "id" || attribute.name.hasSuffix("ID")
        || attribute.name.hasPrefix("slug") || attribute.name.hasPrefix("part")
      if !isKey, !attribute.isRequired, random.once(in: 3) { continue }
      let node = Literals.key(attribute.type, &random)
      let value =
        isKey
        ? NaiveCoercion(attribute.type, [], .strict).scalar(node) ?? .null
        : Literals.value(attribute.type, &random)
      let isTaken = ids.contains {
        self.value($0, attribute.name) == value
          && objects[$0].map { shape.root($0.entity) } == shape.root(entity)
      }
      if isTaken, shape.isUnique(attribute.name, entity) {
        if attribute.isRequired || attribute.name == "id" { return remove(id) }
        continue
      }
      set(id, attribute.name, value)
    }
    if hasTwins { remove(id) }
  }
}
