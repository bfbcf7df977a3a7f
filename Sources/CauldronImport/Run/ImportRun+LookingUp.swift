import CauldronGraph
import CauldronModel

extension ImportRun {
  /// Looks for all keys of the chunk.
  /// - Complexity: One statement for each entity and attribute that objects are found by.
  func lookUp() throws {
    var wanted: [Place: (plan: EntityPlan, values: Set<AttributeScalar>)] = [:]
    func want(_ number: Int, _ value: AttributeScalar) {
      let entity = plan.entities[number]
      guard let key = entity.key, !value.isNull,
        created[KeyRef(key, of: entity, value)] == nil
      else { return }
      let place = Place(entity: entity.family.number, property: Int32(key.property.index))
      wanted[place, default: (entity, [])].values.insert(value)
    }
    for object in chunk.objects {
      want(object.plan, object.key)
      for link in chunk.links[object.links] {
        let relationship = plan.entities[object.plan].relationships[link.relationship]
        for child in link.children.map({ chunk.children[$0] }) ?? [] {
          if case .key(let value) = child { want(relationship.destination, value) }
        }
      }
    }
    for (place, (entity, values)) in wanted {
      guard let key = entity.key else { continue }
      let (objects, look) = try context.importedObjects(entity.family, key.property, values)
      self.look[place] = look
      for object in objects { note(object, entity, key) }
    }
  }

  private func note(_ object: ManagedObject, _ entity: EntityPlan, _ key: KeyPlan) {
    let value = object.importedScalar(key.property.index, key.attribute.storage)
    let ref = KeyRef(key, of: entity, value)
    switch found[ref] {
    case nil: found[ref] = .object(object)
    case .object(let other) where other === object: return
    default: found[ref] = .several
    }
  }

  /// Reads the members of the chunk's objects, where they matter.
  /// - Complexity: One statement for each such relationship and few hundred objects.
  func walkMembers() {
    var owners: [Int: (plan: EntityPlan, property: Int, objects: [ManagedObject])] = [:]
    for draft in chunk.objects {
      let entity = plan.entities[draft.plan]
      for link in chunk.links[draft.links] {
        let relationship = entity.relationships[link.relationship]
        guard relationship.isToMany, let object = known(draft, entity) else { continue }
        let property = entity.entity.properties[relationship.index]
        let matters =
          relationship.isOrdered || property.join != nil || link.children == nil
          || relationship.mapping.members == .replace
          || relationship.mapping.members == .replaceAndDelete
        guard matters else { continue }
        let place = draft.plan << 16 | relationship.index
        owners[place, default: (entity, relationship.index, [])].objects.append(object)
      }
    }
    for (entity, index, objects) in owners.values {
      context.importWalk(objects, entity.entity.properties[index])
    }
  }

  private func known(_ draft: ObjectDraft, _ entity: EntityPlan) -> ManagedObject? {
    guard let key = entity.key else { return nil }
    let ref = KeyRef(key, of: entity, draft.key)
    if case .object(let object) = found[ref] { return object }
    return created[ref]
  }

  /// What is known of a key.
  /// - Throws: Where two objects have it, or one of another entity.
  func resolved(
    _ value: AttributeScalar, _ entity: EntityPlan, _ key: KeyPlan
  ) throws(Refusal) -> ManagedObject? {
    let ref = KeyRef(key, of: entity, value)
    if let known = unit.created[ref] ?? created[ref], known.isThereForImport { return known }
    switch found[ref] {
    case nil: return nil
    case .several:
      throw Refusal(
        .importAmbiguous,
        "two objects of \(entity.family.name) have \(key.property.name) \(value.shown)")
    case .object(let object):
      if !object.isThereForImport { return nil }
      return object
    }
  }
}

extension AttributeScalar {
  /// The value in a sentence.
  var shown: String {
    switch self {
    case .null: "null"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): JSONText.quoted(text)
    case .blob: "these bytes"
    }
  }
}
