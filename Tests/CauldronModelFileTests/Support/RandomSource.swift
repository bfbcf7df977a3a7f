import CauldronModel
import Foundation
import TestSupport

/// A model at random, with everything that descriptions can say and files can keep.
struct RandomSource {
  private var random: SeededGenerator
  private var entities: [EntityDescription] = []
  private var count = 0
  /// How many composite attributes may stand in one another.
  private var deepest = 3

  static func entities(seed: UInt64) -> [EntityDescription] {
    var source = RandomSource(random: SeededGenerator(seed: seed))
    source.make()
    return source.entities
  }

  private init(random: SeededGenerator) { self.random = random }

  private mutating func chance(_ most: Int) -> Bool {
    Int.random(in: 0..<most, using: &random) == 0
  }

  private mutating func name(_ start: String) -> String {
    count += 1
    return "\(start)\(count)"
  }

  private mutating func make() {
    for number in 0...Int.random(in: 0..<6, using: &random) {
      var entity = EntityDescription(
        name: name(number.isMultiple(of: 2) ? "entity" : "Entity"), properties: [])
      if !entities.isEmpty, chance(3) {
        entity.superentity = entities.randomElement(using: &random)?.name
      }
      entity.isAbstract = chance(5)
      if chance(6) { entity.versionHashModifier = "m&<\(number)" }
      if chance(6) { entity.originalNames = ["Old\(number)"] }
      if chance(6) { entity.userInfo = ["key \"\(number)\"": "a\nb"] }
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        entity.properties.append(.attribute(attribute()))
      }
      entities.append(entity)
    }
    for _ in 0..<Int.random(in: 0...6, using: &random) { relate() }
    for index in entities.indices {
      derive(in: index)
      constrain(index)
      entities[index].properties.sort { $0.name < $1.name }
    }
    entities.sort { $0.name < $1.name }
  }

  private mutating func attribute() -> AttributeDescription {
    let type = AttributeType.allCases.randomElement(using: &random) ?? .string
    var attribute = AttributeDescription(
      name: name("a"), type: type, isOptional: chance(2),
      isTransient: type == .undefined || chance(8))
    switch type {
    case .integer16, .integer32, .integer64:
      if chance(3) {
        attribute.defaultValue = .constant(.integer(.random(in: -9...9, using: &random)))
      }
    case .boolean: if chance(3) { attribute.defaultValue = .constant(.integer(1)) }
    case .double, .float, .date: if chance(3) { attribute.defaultValue = .constant(.real(2.5)) }
    case .string: if chance(3) { attribute.defaultValue = .constant(.text("ä & \"<\t>")) }
    case .decimal: if chance(3) { attribute.defaultValue = .constant(.text("-1.25")) }
    case .binary: attribute.allowsExternalBinaryDataStorage = chance(4)
    case .transformable:
      let names: [String?] = [nil, "", "NSSecureUnarchiveFromData", "Color", nil]
      attribute.valueTransformerName = names.randomElement(using: &random) ?? nil
    case .composite where deepest > 0:
      deepest -= 1
      defer { deepest += 1 }
      attribute.elements = (0...Int.random(in: 0...2, using: &random)).map { _ in self.element() }
        .sorted { $0.name < $1.name }
      attribute.compositeName = name("Composite")
    case .composite: attribute.type = .uuid
    case .uuid, .uri, .undefined: break
    }
    attribute.preservesValueInHistoryOnDeletion = chance(10)
    if chance(8) { attribute.versionHashModifier = "x" }
    if chance(8) { attribute.originalNames = ["old"] }
    if chance(8) { attribute.userInfo = ["k": "v"] }
    return attribute
  }

  /// An attribute within another one.
  private mutating func element() -> AttributeDescription {
    var element = attribute()
    element.isTransient = false
    if element.type == .undefined { element.type = .date }
    return element
  }

  private mutating func relationship(to destination: String) -> RelationshipDescription {
    let isToMany = chance(2)
    let most = isToMany ? [0, 0, 5].randomElement(using: &random) ?? 0 : 1
    var relationship = RelationshipDescription(
      name: name("r"), destination: destination, isToMany: isToMany, isOptional: chance(2),
      deleteRule: RelationshipDescription.DeleteRule.allCases.randomElement(using: &random)
        ?? .nullify,
      minCount: isToMany ? Int.random(in: 0...2, using: &random) : 0, maxCount: most,
      isOrdered: chance(4))
    relationship.mayBeEmpty = isToMany
    if chance(8) { relationship.versionHashModifier = "y" }
    if chance(8) { relationship.originalNames = ["former"] }
    return relationship
  }

  private mutating func relate() {
    let (from, to) = (
      Int.random(in: entities.indices, using: &random),
      Int.random(in: entities.indices, using: &random)
    )
    var there = relationship(to: entities[to].name)
    if chance(8) {
      there.isTransient = true
    } else if chance(4) {
      there.isOneWay = true
    } else if from == to, chance(2) {
      there.inverse = there.name
    } else {
      var back = relationship(to: entities[from].name)
      (there.inverse, back.inverse) = (back.name, there.name)
      entities[to].properties.append(.relationship(back))
    }
    entities[from].properties.append(.relationship(there))
  }

  private mutating func derive(in index: Int) {
    let relationships = entities[index].properties.compactMap { property in
      if case .relationship(let relationship) = property, !relationship.isTransient {
        relationship
      } else {
        nil
      }
    }
    guard let relationship = relationships.randomElement(using: &random), chance(2) else { return }
    var attribute = AttributeDescription(name: name("d"), type: .integer64)
    if relationship.isToMany {
      attribute.derivation = AttributeDescription.count(of: relationship.name)
    } else {
      attribute.type = .date
      attribute.derivation = ["now()", "upper:(canonical:(\(relationship.name)), x)"]
        .randomElement(using: &random)
    }
    entities[index].properties.append(.attribute(attribute))
  }

  private mutating func constrain(_ index: Int) {
    let stored = entities[index].properties.compactMap { property -> String? in
      guard case .attribute(let attribute) = property else { return nil }
      return attribute.hasColumn && attribute.derivation == nil ? attribute.name : nil
    }
    if stored.count > 1, chance(3) {
      entities[index].uniquenessConstraints = [[stored[1], stored[0]]]
      if chance(2) { entities[index].uniquenessConstraints.append([stored[0]]) }
    }
    if let name = stored.last, chance(3) {
      var description = IndexDescription(name: "by", properties: [name])
      if chance(2) { description.descending = [name] }
      entities[index].indexes = [description]
    }
  }
}
