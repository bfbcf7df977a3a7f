import CauldronGraph
import CauldronModel

extension ImportRun {
  /// Looks for all keys of the chunk.
  /// - Complexity: One statement for each entity and attribute that objects are found by.
  func lookUp() throws {
    var wanted: [KeyPlace: (scope: EntityLayout, values: Set<AttributeScalar>)] = [:]
    func want(_ key: KeyPlan, _ value: AttributeScalar) {
      // Another object cannot have a unique value that this import has given.
      guard !value.isNull, key.unique == nil || plan.movesKeys || keyed[KeyRef(key, value)] == nil
      else { return }
      wanted[KeyPlace(key), default: (key.scope, [])].values.insert(value)
    }
    for object in chunk.objects {
      let entity = plan.entities[object.plan]
      if let key = entity.key { want(key, object.key) }
      for link in chunk.links[object.links] {
        let relationship = entity.relationships[link.relationship]
        guard let key = plan.entities[relationship.destination].key else { continue }
        for child in link.children.map({ chunk.children[$0] }) ?? [] {
          if case .key(let value) = child { want(key, value) }
        }
      }
      guard plan.movesKeys else { continue }
      for value in chunk.values[object.values] {
        let attribute = entity.attributes[value.attribute]
        guard attribute.isUnique, attribute.isSideKey else { continue }
        let place = KeyPlace(entity: attribute.scope, property: Int32(attribute.index))
        let scope = entity.entity.above(attribute.scope)
        wanted[place, default: (scope, [])].values.insert(value.scalar ?? attribute.fallback)
      }
    }
    for (place, (scope, values)) in wanted {
      let property = scope.properties[Int(place.property)]
      let (objects, look) = try context.importedObjects(scope, property, values)
      self.look[place] = look
      guard let storage = property.storageClass else { continue }
      for object in objects {
        let ref = KeyRef(place, object.importedScalar(property.index, storage))
        found[ref, default: []].append(object)
      }
    }
  }

  func known(_ draft: ObjectDraft, _ entity: EntityPlan) -> ManagedObject? {
    guard let known = try? resolved(draft.key, entity), known.layout.isKind(of: entity.entity)
    else { return nil }
    return known
  }

  /// What is known of a key.
  /// - Throws: Where two objects have it.
  func resolved(
    _ value: AttributeScalar, _ entity: EntityPlan
  ) throws(Refusal) -> ManagedObject? {
    guard let key = entity.key else { return nil }
    let ref = KeyRef(key, value)
    var only: ManagedObject?
    for list in [keyed[ref], found[ref]] {
      for object in list ?? [] where object !== only && has(object, ref, key, entity) {
        if only != nil {
          throw Refusal(
            .importAmbiguous,
            "two objects of \(entity.family.name) have \(key.property.name) \(value.shown)")
        }
        only = object
      }
    }
    return only
  }

  /// Whether an object that had a key has it still, and may be meant by it.
  private func has(
    _ object: ManagedObject, _ ref: KeyRef, _ key: KeyPlan, _ entity: EntityPlan
  ) -> Bool {
    // One of another entity has a unique key all the same.
    guard object.isThereForImport, key.unique != nil || object.layout.isKind(of: entity.family)
    else { return false }
    return !plan.movesKeys
      || object.importedScalar(key.property.index, key.attribute.storage) == ref.value
  }

  /// Whether another object has a unique value.
  func isTaken(_ scalar: AttributeScalar, _ attribute: AttributePlan, by object: ManagedObject?)
    -> Bool
  {
    let ref = KeyRef(attribute, scalar)
    return [keyed[ref], found[ref]].contains { list in
      list?.contains { other in
        other !== object && other.isThereForImport
          && other.importedScalar(attribute.index, attribute.storage) == scalar
      } ?? false
    }
  }
}

extension EntityLayout {
  /// The entity itself or the one above it with a number.
  fileprivate func above(_ number: Int32) -> EntityLayout {
    var entity = self
    while entity.number != number, let above = entity.superentity { entity = above }
    return entity
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
