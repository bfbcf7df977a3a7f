import CauldronGraph
import CauldronModel

extension ImportRun {
  /// Finds or creates an object of the record, and sets what the record says of it.
  /// - Returns: Nil where the object does not want to be imported.
  func object(_ index: Int) throws -> ManagedObject? {
    let draft = chunk.objects[index]
    let entity = plan.entities[draft.plan]
    do {
      return try object(draft, entity, isOwn: index == unit.record.objects.lowerBound)
    } catch var refusal as Refusal where !refusal.isPlaced {
      refusal = refusal.under(draft.path)
      refusal.isPlaced = true
      throw refusal
    }
  }

  private func object(
    _ draft: ObjectDraft, _ entity: EntityPlan, isOwn: Bool
  ) throws -> ManagedObject? {
    let (object, isNew) = try target(draft, entity)
    if entity.hooks.contains(.importing), let source = draft.source {
      guard try asked("shouldImport(_:)", object, { try object.shouldImport(source) }) else {
        decline(object, draft, entity, isNew: isNew)
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
    if entity.hooks.contains(.importing), let source = draft.source {
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
    _ draft: ObjectDraft, _ entity: EntityPlan
  ) throws -> (object: ManagedObject, isNew: Bool) {
    guard let key = entity.key else { return (context.importCreated(entity.entity), true) }
    guard let known = try resolved(draft.key, entity) else {
      // It may have been there before the record took its key from another.
      if plan.movesKeys, !entity.mayFill { try checkIsComplete(draft, entity) }
      return (try create(draft.key, entity, key), true)
    }
    if !known.layout.isKind(of: entity.entity) { throw Refusal(known, isNo: entity.entity) }
    let ref = KeyRef(key, draft.key)
    if let id = stubs.removeValue(forKey: ref) {
      note(.isFilled(ref, id, stubLinks.removeValue(forKey: ref) ?? []))
    }
    return (known, false)
  }

  /// Creates an object with a key.
  func create(
    _ value: AttributeScalar, _ entity: EntityPlan, _ key: KeyPlan, isStub: Bool = false
  ) throws -> ManagedObject {
    let object: ManagedObject
    let ref = KeyRef(key, value)
    if let unique = key.unique, let look = look[ref.place], !isPreview {
      object = try context.importCreated(entity.entity, unique, value, since: look)
    } else {
      object = context.importCreated(entity.entity)
      object.setScalar(key.property.index, value)
    }
    if isStub, mayBeRefused(entity) {
      stubs[ref] = object.objectID
      note(.stub(ref))
    }
    give(object, ref)
    return object
  }

  /// An object that says no stays as it is; a new one does not stay.
  private func decline(
    _ object: ManagedObject, _ draft: ObjectDraft, _ entity: EntityPlan, isNew: Bool
  ) {
    if isNew { object.delete() }
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
    guard attribute.isSideKey, !scalar.isNull else {
      object.setScalar(attribute.index, scalar)
      return true
    }
    if attribute.isUnique, isTaken(scalar, attribute, by: object) {
      throw Refusal(
        .saveConstraint,
        "\(entity.entity.name).\(attribute.name) must be unique, and another has \(scalar.shown)"
      ).under(value.path)
    }
    object.setScalar(attribute.index, scalar)
    give(object, KeyRef(attribute, scalar))
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
