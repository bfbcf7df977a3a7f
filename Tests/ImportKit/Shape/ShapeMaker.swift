import CauldronModel
import Foundation

extension Shape {
  /// A model with attributes of many types and relationships of many kinds.
  static func random(using random: inout ImportRandom) -> Shape {
    var maker = ShapeMaker(random: random)
    let shape = maker.make()
    random = maker.random
    return shape
  }
}

/// Makes random models.
struct ShapeMaker {
  var random: ImportRandom
  private var entities: [Shape.Entity] = []
  private var count = 0

  init(random: ImportRandom) { self.random = random }

  mutating func make() -> Shape {
    let names = ["Apple", "Berry", "Cedar", "Daisy"].shuffled(using: &random)
    for name in names[..<(2 + random.below(3))] { entities.append(Shape.Entity(name: name)) }
    if entities.count > 2, !random.once(in: 3) {
      entities[2].superentity = entities[0].name
      entities[0].isAbstract = random.once(in: 2)
      if entities.count > 3, random.once(in: 2) { entities[3].superentity = entities[0].name }
    }
    addKeys()
    addAttributes()
    addRelationships()
    var shape = Shape(entities: entities)
    for index in shape.entities.indices { addMappings(&shape, index) }
    return shape
  }

  private mutating func addKeys() {
    for index in entities.indices {
      if entities[index].superentity == nil {
        if random.once(in: 3) {
          addParts(index)
        } else if !random.once(in: 5) {
          addKey(index)
        }
      }
      if random.once(in: 3) {
        // Need not be unique, and its name says that it may be a key all the same.
        entities[index].attributes.append(
          Shape.Attribute(name: "tag\(index)ID", type: keyType(), mapping: mapping()))
      }
    }
  }

  /// Attributes that are unique together, and mostly the only key.
  private mutating func addParts(_ index: Int) {
    if random.once(in: 6) { addKey(index) }
    for number in 0..<(2 + random.below(2)) {
      var part = Shape.Attribute(
        name: "part\(index)_\(number)", type: keyType(), mapping: mapping())
      part.isRequired = random.once(in: 3)
      entities[index].attributes.append(part)
      entities[index].together.append(part.name)
    }
  }

  private mutating func addKey(_ index: Int) {
    let isUnique = !random.once(in: 4)
    let name = isUnique ? "id" : "numID"
    var attribute = Shape.Attribute(name: name, type: keyType(), mapping: mapping())
    attribute.isRequired = random.once(in: 2)
    if !random.once(in: 4) { attribute.mapping.from = [] }
    entities[index].attributes.append(attribute)
    entities[index].key = name
    if isUnique { entities[index].unique = [name] }
    guard isUnique, random.once(in: 4) else { return }
    entities[index].attributes.append(Shape.Attribute(name: "slug\(index)", type: keyType()))
    entities[index].unique.append("slug\(index)")
  }

  private mutating func keyType() -> AttributeType {
    random.pick([.string, .integer64, .integer32, .string])
  }

  private mutating func addAttributes() {
    for index in entities.indices {
      for _ in 0..<(1 + random.below(4)) {
        count += 1
        let type = random.pick(AttributeType.allCases.filter(\.hasColumn))
        var made = Shape.Attribute(name: "a\(count)", type: type, mapping: mapping())
        made.mapping.absent = random.pick([.keep, .keep, .keep, .setDefault, .setNil])
        made.mapping.null = random.pick([.keep, .setNil, .setNil, .setDefault])
        made.mapping.isExcluded = random.once(in: 12)
        made.isRequired = random.once(in: 4)
        if random.once(in: made.isRequired ? 2 : 3) {
          made.fallback = Literals.value(type, &random)
        }
        if made.isRequired, made.mapping.absent == .setNil { made.mapping.absent = .keep }
        if type == .date, random.once(in: 3) {
          made.mapping.dateFormats = random.pick([
            [.secondsSince1970], [.millisecondsSince1970, .iso8601],
          ])
        }
        entities[index].attributes.append(made)
      }
    }
  }

  /// Where a value is looked for.
  private mutating func mapping() -> AttributeImport {
    AttributeImport(from: paths())
  }

  mutating func paths() -> [String] {
    guard random.once(in: 3) else { return [] }
    return (0...random.below(3)).map { _ in
      count += 1
      return random.once(in: 3) ? "n\(random.below(2)).p\(count)" : "p\(count)"
    }
  }
}

extension ShapeMaker {
  private mutating func addRelationships() {
    let kinds: [(toMany: Bool, isOrdered: Bool, backToMany: Bool, backIsOrdered: Bool)] = [
      (false, false, true, false), (false, false, true, true), (false, false, false, false),
      (true, false, true, false), (true, true, true, false),
    ]
    for _ in 0..<(2 + random.below(4)) {
      let kind = random.pick(kinds)
      count += 1
      let a = random.below(entities.count)
      let b = random.once(in: 3) ? a : random.below(entities.count)
      let (there, back) = ("r\(count)", "back\(count)")
      entities[a].relationships.append(
        Shape.Relationship(
          name: there, destination: entities[b].name, inverse: back, isToMany: kind.toMany,
          isOrdered: kind.isOrdered, isInverseToMany: kind.backToMany,
          isInverseOrdered: kind.backIsOrdered))
      entities[b].relationships.append(
        Shape.Relationship(
          name: back, destination: entities[a].name, inverse: there, isToMany: kind.backToMany,
          isOrdered: kind.backIsOrdered, isInverseToMany: kind.toMany,
          isInverseOrdered: kind.isOrdered))
    }
  }

  private mutating func addMappings(_ shape: inout Shape, _ index: Int) {
    for place in shape.entities[index].relationships.indices {
      let made = mapping(shape.entities[index].relationships[place], shape, isFirst: true)
      shape.entities[index].relationships[place].mapping = made
    }
  }

  /// What a relationship says of imports.
  mutating func mapping(
    _ relationship: Shape.Relationship, _ shape: Shape, isFirst: Bool = false
  ) -> RelationshipImport {
    var made = RelationshipImport(from: paths())
    let concrete = shape.concrete.filter { shape.isKind($0, of: relationship.destination) }
    let isAbstract = shape[relationship.destination]?.isAbstract == true
    if isAbstract || random.once(in: 4) { made.subentity = concrete.randomElement(using: &random) }
    if isAbstract, made.subentity == nil { made.isExcluded = true }
    // Of which nobody says anything.
    if isAbstract, isFirst, random.once(in: 3) { return RelationshipImport() }
    let alternatives = shape.attributes(relationship.destination)
      .filter { $0.name.hasSuffix("ID") || $0.name.hasPrefix("slug") || $0.name.hasPrefix("part") }
    if random.once(in: 2) { made.match = alternatives.randomElement(using: &random)?.name }
    if relationship.isToMany {
      made.members = random.pick([.merge, .merge, .replace, .replaceAndDelete, .linkOnly])
    }
    made.unknown = random.pick([.stub, .stub, .skip, .refuse])
    made.absent = random.pick([.keep, .keep, .keep, .keep, .setNil])
    made.null = random.pick([.keep, .setNil])
    if random.once(in: 8) { made.isExcluded = true }
    return made
  }
}
