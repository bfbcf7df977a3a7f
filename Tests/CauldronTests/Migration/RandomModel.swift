import CauldronModel
import Foundation
import TestSupport

/// A model that random changes are made to, beside the objects that a store with it has.
///
/// The objects are dictionaries: what a change means for data is said here once more, without SQL.
struct RandomModel {
  /// An object as a dictionary; a reference is the key of another object.
  struct Object: Equatable {
    var entity: String
    var values: [String: AttributeScalar] = [:]
    var references: [String: Int] = [:]
  }

  var entities: [EntityDescription] = []
  /// By keys of the test's own, which an attribute `uid` of every object has.
  var objects: [Int: Object] = [:]
  /// The attributes that this version has changed already.
  private var touched: Set<String> = []
  private var next = 1
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for _ in 0..<3 { addEntity() }
    for _ in 0..<6 { addAttribute() }
    for _ in 0..<2 { addRelationship() }
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func name(_ kind: String) -> String {
    next += 1
    // Names that sort anywhere, so that numbers of entities change.
    return "\("abcdefgh".randomElement(using: &random) ?? "a")\(kind)\(next)"
  }

  // MARK: Changes

  /// Forgets what has been given up and renamed, as the next version of a program may.
  mutating func settle() {
    touched = []
    for index in entities.indices {
      entities[index].discards = []
      entities[index].originalNames = []
      entities[index].properties = entities[index].properties.map { property in
        switch property {
        case .attribute(var attribute):
          attribute.originalNames = []
          return .attribute(attribute)
        case .relationship(var relationship):
          relationship.originalNames = []
          return .relationship(relationship)
        }
      }
    }
  }

  mutating func change() {
    switch pick(9) {
    case 0: addEntity()
    case 1, 2: addAttribute()
    case 3: addRelationship()
    case 4: renameAttribute()
    case 5: renameEntity()
    case 6: removeAttribute()
    case 7: widen()
    default: require()
    }
  }

  private mutating func addEntity() {
    entities.append(
      EntityDescription(
        name: name("Entity").capitalized,
        properties: [.attribute(AttributeDescription(name: "uid", type: .integer64))]))
  }

  private mutating func addAttribute() {
    let index = pick(entities.count)
    let types: [AttributeType] = [.integer16, .integer32, .double, .string, .boolean, .date]
    let type = types[pick(types.count)]
    var attribute = AttributeDescription(name: name("attr"), type: type)
    if pick(2) == 0 { attribute.defaultValue = .constant(scalar(type)) }
    attribute.isOptional = !attribute.hasDefault || pick(2) == 0
    entities[index].properties.append(.attribute(attribute))
    for key in objects.keys where objects[key]?.entity == entities[index].name {
      objects[key]?.values[attribute.name] = attribute.constant
    }
  }

  private mutating func addRelationship() {
    let (a, b) = (pick(entities.count), pick(entities.count))
    let (one, many) = (name("one"), name("many"))
    entities[a].properties.append(
      .relationship(
        RelationshipDescription(
          name: one, destination: entities[b].name, inverse: many, isToMany: false)))
    entities[b].properties.append(
      .relationship(
        RelationshipDescription(
          name: many, destination: entities[a].name, inverse: one, isToMany: true,
          isOrdered: pick(2) == 0)))
  }

  /// A random attribute, but for `uid`.
  private mutating func attribute() -> (entity: Int, property: Int, AttributeDescription)? {
    let index = pick(entities.count)
    let all = entities[index].properties.enumerated().compactMap { position, property in
      if case .attribute(let attribute) = property, attribute.name != "uid",
        !touched.contains(attribute.name)
      {
        (position, attribute)
      } else {
        nil as (Int, AttributeDescription)?
      }
    }
    guard !all.isEmpty else { return nil }
    let (position, attribute) = all[pick(all.count)]
    touched.insert(attribute.name)
    return (index, position, attribute)
  }

  private mutating func renameAttribute() {
    guard let (entity, property, found) = attribute() else { return }
    var attribute = found
    let old = attribute.name
    attribute.name = name("attr")
    attribute.originalNames = [old]
    touched.insert(attribute.name)
    entities[entity].properties[property] = .attribute(attribute)
    for key in objects.keys where objects[key]?.entity == entities[entity].name {
      let value = objects[key]?.values.removeValue(forKey: old)
      objects[key]?.values[attribute.name] = value
    }
  }

  private mutating func renameEntity() {
    let index = pick(entities.count)
    let old = entities[index].name
    let new = name("Entity").capitalized
    entities[index].originalNames = [old] + entities[index].originalNames
    entities[index].name = new
    for other in entities.indices {
      entities[other].properties = entities[other].properties.map { property in
        guard case .relationship(var relationship) = property, relationship.destination == old
        else {
          return property
        }
        relationship.destination = new
        return .relationship(relationship)
      }
    }
    for key in objects.keys where objects[key]?.entity == old { objects[key]?.entity = new }
  }

  private mutating func removeAttribute() {
    guard let (entity, property, attribute) = attribute() else { return }
    entities[entity].properties.remove(at: property)
    entities[entity].discards.append("\(attribute.name): \(attribute.type.swiftName)")
    for key in objects.keys where objects[key]?.entity == entities[entity].name {
      objects[key]?.values[attribute.name] = nil
    }
  }

  private mutating func widen() {
    guard let (entity, property, found) = attribute() else { return }
    var attribute = found
    switch attribute.type {
    case .integer16: attribute.type = .integer32
    case .integer32: attribute.type = .integer64
    case .boolean: attribute.type = .integer16
    default: return
    }
    entities[entity].properties[property] = .attribute(attribute)
  }

  private mutating func require() {
    guard let (entity, property, found) = attribute() else { return }
    var attribute = found
    attribute.isOptional.toggle()
    if !attribute.isOptional, !attribute.hasDefault {
      attribute.defaultValue = .constant(scalar(attribute.type))
    }
    entities[entity].properties[property] = .attribute(attribute)
    guard !attribute.isOptional else { return }
    for key in objects.keys where objects[key]?.entity == entities[entity].name {
      if objects[key]?.values[attribute.name] == nil {
        objects[key]?.values[attribute.name] = attribute.constant
      }
    }
  }

  // MARK: Data

  private mutating func scalar(_ type: AttributeType) -> AttributeScalar {
    switch type {
    case .double, .date: .real(Double(pick(1_000)) / 4)
    case .string: .text(["", "a", "é", "long \(pick(100))"][pick(4)])
    case .boolean: .integer(Int64(pick(2)))
    default: .integer(Int64(pick(60_000) - 30_000))
    }
  }

  /// A new object of a random entity with random values and references.
  mutating func addObject(_ key: Int) {
    let entity = entities[pick(entities.count)]
    var object = Object(entity: entity.name)
    for case .attribute(let attribute) in entity.properties where attribute.name != "uid" {
      let isThere = !attribute.isOptional || pick(3) > 0
      object.values[attribute.name] = isThere ? scalar(attribute.type) : nil
    }
    for case .relationship(let relationship) in entity.properties where !relationship.isToMany {
      let others = objects.keys.filter { objects[$0]?.entity == relationship.destination }.sorted()
      if !others.isEmpty { object.references[relationship.name] = others[pick(others.count)] }
    }
    objects[key] = object
  }
}

extension AttributeDescription {
  fileprivate var hasDefault: Bool { constant != nil }

  fileprivate var constant: AttributeScalar? {
    if case .constant(let scalar) = defaultValue { scalar } else { nil }
  }
}
