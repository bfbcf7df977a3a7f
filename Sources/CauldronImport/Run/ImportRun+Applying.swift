import CauldronGraph
import CauldronModel

extension ImportRun {
  /// Finds or creates an object of the record, and sets what the record says of it.
  /// - Returns: Nil where the object does not want to be imported.
  func object(_ index: Int) throws -> ManagedObject? {
    let draft = chunk.objects[index]
    let entity = plan.entities[draft.plan]
    do {
      return try object(index, draft, entity, isOwn: index == unit.record.objects.lowerBound)
    } catch let refusal as Refusal where !draft.path.isEmpty && refusal.path.isEmpty {
      throw refusal.under(draft.path)
    }
  }

  private func object(
    _ index: Int, _ draft: ObjectDraft, _ entity: EntityPlan, isOwn: Bool
  ) throws -> ManagedObject? {
    let (object, isNew) = try target(objectSlots[index], draft, entity)
    if entity.asks, let source = draft.source {
      guard try asked("shouldImport(_:)", object, { try object.shouldImport(source) }) else {
        decline(object, objectSlots[index], isNew: isNew)
        if isOwn { unit.outcome = .declined }
        return nil
      }
      try asked("willImport(_:)", object) { try object.willImport(source) }
    }
    var isChanged = false
    for value in chunk.values[draft.values] {
      if try set(value, of: object, entity, isNew: isNew) { isChanged = true }
    }
    for link in chunk.links[draft.links] {
      if try self.link(link, of: object, draft, entity) { isChanged = true }
    }
    if entity.asks, let source = draft.source {
      try asked("didImport(_:)", object) { try object.didImport(source) }
    }
    if plan.needsUndo { unit.objects.append(object) }
    tally(draft, isNew: isNew, isChanged: isChanged, isOwn: isOwn)
    return object
  }

  private func tally(_ draft: ObjectDraft, isNew: Bool, isChanged: Bool, isOwn: Bool) {
    if isOwn {
      unit.outcome = isNew ? .created : isChanged ? .updated : .unchanged
    } else if isNew {
      unit.related[draft.plan, default: (0, 0)].created += 1
    } else if isChanged {
      unit.related[draft.plan, default: (0, 0)].updated += 1
    }
  }

  /// The object that a record is, new where there is none.
  private func target(
    _ slot: Int, _ draft: ObjectDraft, _ entity: EntityPlan
  ) throws -> (object: ManagedObject, isNew: Bool) {
    guard let key = entity.key, slot >= 0 else {
      return (context.importCreated(entity.entity), true)
    }
    if let known = try resolved(slot, entity) {
      if slots[slot].isStub {
        slots[slot].isStub = false
        unit.filled.append(slot)
      }
      return (known, false)
    }
    return (try create(slot, entity, key), true)
  }

  /// Creates an object with a key.
  func create(_ slot: Int, _ entity: EntityPlan, _ key: KeyPlan) throws -> ManagedObject {
    let object: ManagedObject
    let value = slots[slot].ref.value
    let place = Place(entity: entity.family.number, property: Int32(key.property.index))
    if let unique = key.unique, let look = look[place], !isPreview {
      object = try context.importCreated(entity.entity, unique, value, since: look)
    } else {
      object = context.importCreated(entity.entity)
      object.setScalar(key.property.index, value)
    }
    slots[slot].state = .object(object)
    unit.created.append(slot)
    return object
  }

  /// An object that says no stays as it is; a new one does not stay.
  private func decline(_ object: ManagedObject, _ slot: Int, isNew: Bool) {
    guard isNew else { return }
    if slot >= 0 {
      slots[slot].state = .unknown
      unit.created.removeAll { $0 == slot }
    }
    object.delete()
  }

  /// - Returns: Whether anything was changed.
  private func set(
    _ value: ValueDraft, of object: ManagedObject, _ entity: EntityPlan, isNew: Bool
  ) throws -> Bool {
    let attribute = entity.attributes[value.attribute]
    let scalar = value.scalar ?? attribute.fallback
    if attribute.isImported, let source = value.source {
      let old = object.importedScalar(attribute.index, attribute.storage)
      let value = ImportValue(source: source, scalar: scalar)
      let isDone = try asked("import of \(attribute.name)", object) {
        try object._importProperty(attribute.name, value)
      }
      if isDone { return object.importedScalar(attribute.index, attribute.storage) != old }
      if scalar.isNull, attribute.mapping.null == .keep { return false }
    }
    let old = object.importedScalar(attribute.index, attribute.storage)
    if old == scalar || attribute.coercion.isSame(scalar, old) { return false }
    object.setScalar(attribute.index, scalar)
    return true
  }

  /// Calls code of the class; what that throws refuses the record.
  @discardableResult
  func asked<Result>(
    _ hook: String, _ object: ManagedObject, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as CauldronError {
      throw Refusal(error.code, error.message)
    } catch {
      throw Refusal(
        .validationFailed, "\(hook) of \(object.layout.name) throws \(type(of: error))")
    }
  }
}

// Records that can be refused after something of them was set.
extension ImportRun {
  func beginUndo() {
    context.processPendingChanges()
    context.undoManager?.removeAllActions()
  }

  func undo() throws {
    context.processPendingChanges()
    try context.undo()
    context.undoManager?.removeAllActions()
  }

  /// Asks what a save would ask of the record's objects.
  func validate() throws {
    context.processPendingChanges()
    let waits = Set(unit.waiting.map(\.link.owner))
    for object in unit.objects where object.hasChanges && !waits.contains(object.objectID) {
      do { try object.validateForSave() } catch let error as CauldronError {
        throw Refusal(error.code, error.message)
      }
    }
  }
}
