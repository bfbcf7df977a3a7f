import CauldronGraph
import CauldronModel

extension ImportRun {
  /// Looks for all keys of the chunk.
  /// - Complexity: One statement for each entity and attribute that objects are found by.
  func lookUp() throws {
    var numbers: [KeyRef: Int] = [:]
    var wanted: [Place: (plan: EntityPlan, key: KeyPlan, values: Set<AttributeScalar>)] = [:]
    func slot(_ entity: EntityPlan, _ value: AttributeScalar) -> Int {
      guard let key = entity.key, !value.isNull else { return -1 }
      let ref = KeyRef(key, of: entity, value)
      if let known = numbers[ref] { return known }
      numbers[ref] = slots.count
      if let known = created[ref], known.isThereForImport {
        slots.append(KeySlot(ref: ref, state: .object(known), isStub: stubs[ref] != nil))
      } else {
        slots.append(KeySlot(ref: ref, state: .unknown))
        let place = Place(entity: entity.family.number, property: Int32(key.property.index))
        wanted[place, default: (entity, key, [])].values.insert(value)
      }
      return slots.count - 1
    }
    objectSlots = chunk.objects.map { slot(plan.entities[$0.plan], $0.key) }
    childSlots = Array(repeating: -1, count: chunk.children.count)
    for object in chunk.objects {
      for link in chunk.links[object.links] {
        guard let children = link.children, !children.isEmpty else { continue }
        let relationship = plan.entities[object.plan].relationships[link.relationship]
        let entity = plan.entities[relationship.destination]
        for child in children {
          guard case .key(let value) = chunk.children[child] else { continue }
          childSlots[child] = slot(entity, value)
        }
      }
    }
    for (place, (entity, key, values)) in wanted {
      let (objects, look) = try context.importedObjects(entity.family, key.property, values)
      self.look[place] = look
      for object in objects {
        let value = object.importedScalar(key.property.index, key.attribute.storage)
        guard let slot = numbers[KeyRef(key, of: entity, value)] else { continue }
        note(object, slot)
      }
    }
  }

  private func note(_ object: ManagedObject, _ slot: Int) {
    switch slots[slot].state {
    case .unknown: slots[slot].state = .object(object)
    case .object(let other): if other !== object { slots[slot].state = .several }
    case .several: return
    }
  }

  /// Reads the members of the chunk's objects, where they matter.
  /// - Complexity: One statement for each such relationship and few hundred objects.
  func walkMembers() {
    var owners: [Int: (plan: EntityPlan, property: Int, objects: [ManagedObject])] = [:]
    guard plan.entities.contains(where: { $0.relationships.contains(where: \.isToMany) }) else {
      return
    }
    for (number, draft) in chunk.objects.enumerated() {
      let entity = plan.entities[draft.plan]
      for link in chunk.links[draft.links] {
        let relationship = entity.relationships[link.relationship]
        guard relationship.isToMany, let object = known(objectSlots[number]) else { continue }
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

  private func known(_ slot: Int) -> ManagedObject? {
    if slot >= 0, case .object(let object) = slots[slot].state { object } else { nil }
  }

  /// What is known of a key.
  /// - Throws: Where two objects have it.
  func resolved(_ slot: Int, _ entity: EntityPlan) throws(Refusal) -> ManagedObject? {
    guard slot >= 0 else { return nil }
    switch slots[slot].state {
    case .unknown: return nil
    case .object(let object): return object.isThereForImport ? object : nil
    case .several:
      let name = entity.key?.property.name ?? ""
      throw Refusal(
        .importAmbiguous,
        "two objects of \(entity.family.name) have \(name) \(slots[slot].ref.value.shown)")
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
