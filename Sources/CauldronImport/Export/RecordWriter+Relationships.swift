import CauldronGraph
import CauldronModel

// Relationships.
extension RecordWriter {
  /// - Returns: Nil for what is left out, which an import leaves as it is.
  mutating func value(
    of object: ManagedObject, _ relationship: RelationshipPlan, _ entity: EntityPlan
  ) throws -> JSONTree? {
    guard let tree = try references(of: object, relationship, entity) else {
      guard relationship.mapping.absent == .keep else {
        throw lossy(
          entity, relationship.name, "what it leads to has no key, and would be taken out")
      }
      return nil
    }
    guard let transform = relationship.mapping.transform else { return tree }
    var text = ""
    tree.write(to: &text)
    let value = text == "null" ? nil : JSONText.value(text).map(ImportSource.init)
    return try written(value, transform, relationship.name, entity)
  }

  /// What a relationship leads to; nil where that cannot be named.
  private mutating func references(
    of object: ManagedObject, _ relationship: RelationshipPlan, _ entity: EntityPlan
  ) throws -> JSONTree? {
    guard relationship.isToMany else {
      guard let target = object.destination(relationship.index) else { return .value("null") }
      return try reference(target, relationship, entity)
    }
    let members = object.destinations(relationship.index)
    var trees: [(key: String, tree: JSONTree)] = []
    for member in members {
      guard let tree = try reference(member, relationship, entity) else { return nil }
      trees.append((sortKey(member, relationship), tree))
    }
    // In an order that does not change from run to run.
    if !relationship.isOrdered { trees.sort { $0.key < $1.key } }
    return .array(trees.map(\.tree))
  }

  private mutating func reference(
    _ target: ManagedObject, _ relationship: RelationshipPlan, _ entity: EntityPlan
  ) throws -> JSONTree? {
    let destination = plan.entities[relationship.destination]
    // What has no key would be created again.
    guard let key = destination.key else { return nil }
    let isAround = around.contains { $0 === target }
    // One of a subentity has more than the record would say.
    let isWhole = target.layout === destination.entity && relationship.mapping.members != .linkOnly
    if around.count < depth, !isAround, isWhole {
      return try tree(target, plan: relationship.destination)
    }
    let scalar = target.importedScalar(key.property.index, key.attribute.storage)
    guard !scalar.isNull, let text = key.attribute.coercion.text(scalar) else {
      throw lossy(entity, relationship.name, "what it leads to has no key")
    }
    return .value(text)
  }

  private func sortKey(_ member: ManagedObject, _ relationship: RelationshipPlan) -> String {
    guard let key = plan.entities[relationship.destination].key else { return "" }
    return key.attribute.coercion.text(
      member.importedScalar(key.property.index, key.attribute.storage)) ?? ""
  }
}
