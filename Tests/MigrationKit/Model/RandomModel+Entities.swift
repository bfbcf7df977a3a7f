import CauldronModel
import Foundation

extension RandomModel {
  private var uid: PropertyDescription {
    .attribute(AttributeDescription(name: "uid", type: .integer64))
  }

  mutating func addEntity() {
    entities.append(EntityDescription(name: name("Entity").capitalized, properties: [uid]))
  }

  mutating func addChild() {
    guard let parent = pick(entities) else { return }
    entities.append(
      EntityDescription(
        name: name("Entity").capitalized, superentity: parent.name, properties: []))
  }

  /// A new entity above one that had none, with a part of its attributes.
  mutating func addParent() {
    let roots = entities.indices.filter { entities[$0].superentity == nil }
    guard let index = pick(roots) else { return }
    var parent = EntityDescription(
      name: name("Entity").capitalized, isAbstract: pick(2) == 0, properties: [uid])
    var rest: [PropertyDescription] = []
    for property in entities[index].properties where property.name != "uid" {
      if case .attribute = property, touched.isDisjoint(with: property.allNames), pick(2) == 0 {
        parent.properties.append(property)
        touched.insert(property.name)
      } else {
        rest.append(property)
      }
    }
    parent.uniquenessConstraints = entities[index].uniquenessConstraints
    entities[index].uniquenessConstraints = []
    entities[index].properties = rest
    entities[index].superentity = parent.name
    entities.append(parent)
  }

  /// An attribute of an entity that those beside it get, too.
  mutating func moveUp() {
    let children = entities.indices.filter { entities[$0].superentity != nil }
    guard let index = pick(children),
      let parent = entities.firstIndex(where: { $0.name == entities[index].superentity }),
      let place = entities[index].properties.firstIndex(where: { property in
        if case .attribute = property { touched.isDisjoint(with: property.allNames) } else { false }
      }),
      case .attribute(let attribute) = entities[index].properties[place]
    else { return }
    touched.insert(attribute.name)
    let own = Set(keys(entities[index].name))
    entities[index].properties.remove(at: place)
    entities[parent].properties.append(.attribute(attribute))
    for key in keys(entities[parent].name) where !own.contains(key) {
      objects[key]?.values[attribute.name] = attribute.constant
    }
  }

  mutating func renameEntity() {
    let index = pick(entities.count)
    let old = entities[index].name
    let new = name("Entity").capitalized
    entities[index].originalNames = [old] + entities[index].originalNames
    entities[index].name = new
    for other in entities.indices {
      if entities[other].superentity == old { entities[other].superentity = new }
      entities[other].properties = entities[other].properties.map { property in
        guard case .relationship(var relationship) = property, relationship.destination == old
        else { return property }
        relationship.destination = new
        return .relationship(relationship)
      }
    }
    for key in objects.keys where objects[key]?.entity == old { objects[key]?.entity = new }
  }

  /// Gives up an entity that has none below it, with its objects and the relationships to it.
  mutating func removeEntity() {
    let leaves = entities.indices.filter { family(entities[$0].name).count == 1 }
    guard entities.count > 3, let index = pick(leaves) else { return }
    let entity = entities[index]
    let ends = entities.flatMap { owner in
      owner.properties.compactMap { property -> String? in
        guard case .relationship(let relationship) = property else { return nil }
        let isEnd = owner.name == entity.name || relationship.destination == entity.name
        return isEnd ? relationship.name : nil
      }
    }
    // What was changed in this version may be known by other names and types.
    guard touched.isDisjoint(with: ends) else { return }
    for name in ends { removeRelationship(name) }
    discarded.formUnion([entity.name] + entity.originalNames)
    entities.remove(at: index)
    remove(objects.keys.filter { objects[$0]?.entity == entity.name })
  }

  /// Removes objects, and what leads to them.
  private mutating func remove(_ keys: [Int]) {
    for key in keys { objects[key] = nil }
    objects = objects.mapValues { object in
      var object = object
      object.references = object.references.filter { !keys.contains($1) }
      object.lists = object.lists.mapValues { $0.filter { !keys.contains($0) } }
      return object
    }
  }
}
