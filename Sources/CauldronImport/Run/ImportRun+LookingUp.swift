import CauldronGraph
import CauldronModel

extension ImportRun {
  /// Looks for all keys of the chunk.
  /// - Complexity: One statement for each entity and attribute that objects are found by; for
  ///   attributes that identify them together, one for each few hundred different values.
  func lookUp() throws {
    slots = chunk.keys.all.map { KeySlot(keyed: keyed[$0] ?? KeyHolders()) }
    for (place, search) in wanted() {
      let (objects, look) = try search.objects(in: context)
      looks.append((place, look))
      for object in objects {
        let ref = KeyRef(place, search.value(of: object))
        if let slot = chunk.keys.known(ref) { slots[slot].found.append(object) }
        if plan.movesKeys { found[ref, default: KeyHolders()].append(object) }
      }
    }
  }

  /// What the store is asked for.
  private func wanted() -> [KeyPlace: KeySearch] {
    var wanted: [KeyPlace: KeySearch] = [:]
    for key in plan.keys {
      var search = KeySearch(key, capacity: chunk.keys.all.count)
      for (slot, ref) in chunk.keys.all.enumerated() where ref.place == key.place {
        // Another object cannot have a unique value that this import has given.
        guard !ref.value.isNull, key.unique == nil || plan.movesKeys || slots[slot].keyed.isEmpty
        else { continue }
        search.insert(ref.value)
      }
      if !search.isEmpty { wanted[key.place] = search }
    }
    if plan.movesKeys { addSideKeys(to: &wanted) }
    return wanted
  }

  /// Adds what else may be there once only.
  private func addSideKeys(to wanted: inout [KeyPlace: KeySearch]) {
    for object in chunk.objects {
      let entity = plan.entities[object.plan]
      for value in chunk.values[object.values] {
        let attribute = entity.attributes[value.attribute]
        guard attribute.isUnique, attribute.isSideKey else { continue }
        let scope = entity.entity.above(attribute.scope)
        let place = KeyPlace(attribute)
        wanted[place, default: KeySearch(attribute, in: scope)]
          .insert(.one(value.scalar ?? attribute.fallback))
      }
    }
  }

  func known(_ draft: ObjectDraft, in entity: EntityPlan) -> ManagedObject? {
    guard let known = try? resolved(draft.key, in: entity), known.layout.isKind(of: entity.entity)
    else { return nil }
    return known
  }

  /// What is known of a key of the chunk.
  /// - Throws: Where two objects have it.
  func resolved(_ slot: Int, in entity: EntityPlan) throws(Refusal) -> ManagedObject? {
    guard slot >= 0, let key = entity.key else { return nil }
    var only: ManagedObject?
    func look(at object: ManagedObject) throws(Refusal) {
      guard object !== only, has(object, slot: slot, of: key, in: entity) else { return }
      if only != nil {
        throw Refusal(
          .importAmbiguous,
          "two objects of \(entity.family.name) have \(key.shown(chunk.keys[slot].value))")
      }
      only = object
    }
    try slots[slot].keyed.forEach(look)
    try slots[slot].found.forEach(look)
    return only
  }

  /// Whether an object that had a key has it still, and may be meant by it.
  private func has(
    _ object: ManagedObject, slot: Int, of key: KeyPlan, in entity: EntityPlan
  ) -> Bool {
    // One of another entity has a unique key all the same.
    guard object.isThereForImport, key.unique != nil || object.layout.isKind(of: entity.family)
    else { return false }
    return !plan.movesKeys || key.value(of: object) == chunk.keys[slot].value
  }

  /// Whether another object has a unique value.
  func isTaken(_ scalar: AttributeScalar, for attribute: AttributePlan, by object: ManagedObject?)
    -> Bool
  {
    func isOther(_ other: ManagedObject) -> Bool {
      other !== object && other.isThereForImport
        && other.importedScalar(at: attribute.index, storage: attribute.storage) == scalar
    }
    let ref = KeyRef(attribute, scalar)
    return keyed[ref]?.contains(where: isOther) ?? false
      || found[ref]?.contains(where: isOther) ?? false
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
