import CauldronGraph
import CauldronModel
import CauldronSave

extension ImportRun {
  /// Finds or creates an object of the record, and sets what the record says of it.
  /// - Returns: Nil where the object does not want to be imported.
  func object(_ index: Int) throws -> ManagedObject? {
    let draft = chunk.objects[index]
    let entity = plan.entities[draft.plan]
    do {
      return try object(
        of: draft, in: entity, at: index, isOwn: index == unit.record.objects.lowerBound)
    } catch var refusal as Refusal where !refusal.isPlaced {
      refusal = refusal.under(draft.path)
      refusal.isPlaced = true
      throw refusal
    }
  }

  private func object(
    of draft: ObjectDraft, in entity: EntityPlan, at index: Int, isOwn: Bool
  ) throws -> ManagedObject? {
    let (object, isNew, refusal) = try found(draft, in: entity, at: index)
    if entity.isAsked, let source = draft.source {
      guard try asked("shouldImport(_:)", of: object, body: { try object.shouldImport(source) })
      else {
        decline(object, isNew: isNew)
        if isOwn { unit.outcome = .declined }
        return nil
      }
    }
    if let refusal { throw refusal }
    if isNew { knowEmpty(object, from: draft, in: entity) }
    // Nothing leads to an object that does not stay.
    if isNew, let key = entity.key { give(object, slot: draft.key, of: key) }
    if entity.isAsked, let source = draft.source {
      try asked("willImport(_:)", of: object) { try object.willImport(source) }
    }
    var isChanged = false
    let former = isNew ? nil : entity.sideKeys.map { $0.value(of: object) }
    for value in chunk.values[draft.values] {
      if try set(value, of: object, in: entity, isNew: isNew) { isChanged = true }
    }
    giveSideKeys(object, in: entity, former: former)
    for link in chunk.links[draft.links] {
      if try self.link(link, of: object, from: draft, in: entity) { isChanged = true }
    }
    if entity.isAsked, let source = draft.source {
      try asked("didImport(_:)", of: object) { try object.didImport(source) }
    }
    let outcome: RecordUnit.Outcome = isNew ? .created : isChanged ? .updated : .unchanged
    tally(object, from: draft, outcome, isOwn: isOwn)
    if unit.waits.contains(object.objectID) {
      unit.late.append(
        LateObject(
          id: object.objectID, record: unit.record, path: draft.path, isOwn: isOwn, isNew: isNew))
    }
    return object
  }

  /// The object of a draft, and why the draft cannot be it. Where a hook is asked whether to import
  /// the draft, the refusal comes after the hook, which runs on a stand-in where there is no
  /// object.
  private func found(
    _ draft: ObjectDraft, in entity: EntityPlan, at index: Int
  ) throws -> (object: ManagedObject, isNew: Bool, refusal: Refusal?) {
    let refusal = unit.refusals[index]
    if let known = known(index) { return (known, false, refusal) }
    do {
      let (object, isNew) = try target(of: draft, in: entity, sparing: unit.ways[index])
      return (object, isNew, refusal)
    } catch let error as Refusal where isAsked(draft) {
      let standIn = context.importCreated(entity.entity)
      entity.key?.set(chunk.keys[draft.key].value, of: standIn)
      return (standIn, true, refusal ?? error)
    }
  }

  private func tally(
    _ object: ManagedObject, from draft: ObjectDraft, _ outcome: RecordUnit.Outcome, isOwn: Bool
  ) {
    let entity = plan.entities[draft.plan]
    if outcome == .unchanged, entity.isAsked || !entity.imported.isEmpty {
      unit.untouched.append((object, draft.plan, isOwn))
    }
    if isOwn {
      unit.outcome = outcome
      return
    }
    switch outcome {
    case .created: unit.related[draft.plan, default: (0, 0)].created += 1
    case .updated: unit.related[draft.plan, default: (0, 0)].updated += 1
    case .unchanged, .declined: return
    }
  }

  /// The object of a record, new where there is none.
  private func target(
    of draft: ObjectDraft, in entity: EntityPlan, sparing way: String?
  ) throws -> (object: ManagedObject, isNew: Bool) {
    guard let key = entity.key else {
      if !entity.alwaysInserts { report.noteKeyless(entity.entity.name) }
      return (context.importCreated(entity.entity), true)
    }
    guard let known = try resolved(draft.key, in: entity) else {
      // It may have been there before the record took its key from another.
      if plan.movesKeys, !entity.mayFill { try checkIsComplete(draft, in: entity, sparing: way) }
      return (try create(with: chunk.keys[draft.key].value, in: entity, as: key), true)
    }
    if !known.layout.isKind(of: entity.entity) { throw Refusal(known, isNo: entity.entity) }
    if let ref = stubs.removeValue(forKey: known.objectID) {
      let links = stubLinks.removeValue(forKey: known.objectID) ?? []
      note(.isFilled(known.objectID, ref, links))
    }
    return (known, false)
  }

  /// Creates an object with a key, which nothing leads to yet.
  private func create(
    with value: KeyValue, in entity: EntityPlan, as key: KeyPlan
  ) throws -> ManagedObject {
    if let unique = key.values, !isPreview,
      let look = looks.first(where: { $0.place == key.place })?.look
    {
      return try context.importCreated(entity.entity, by: unique, values: value.all, since: look)
    }
    let object = context.importCreated(entity.entity)
    key.set(value, of: object)
    return object
  }

  /// Creates an object that is nothing but a key.
  /// - Parameter way: What will be set by whoever leads to it.
  /// - Returns: Nil where such an object would miss something.
  func stub(
    _ slot: Int, in entity: EntityPlan, by key: KeyPlan, sparing way: String?
  ) throws -> ManagedObject? {
    if entity.stubMisses.contains(where: { $0 != way }) { return nil }
    let ref = chunk.keys[slot]
    let object = try create(with: ref.value, in: entity, as: key)
    if entity.mayFill, misses(object, in: entity, sparing: way) {
      decline(object, isNew: true)
      return nil
    }
    if mayBeRefused(entity) {
      stubs[object.objectID] = ref
      note(.stub(object.objectID))
    }
    give(object, slot: slot, of: key)
    return object
  }

  /// Whether the class has left out something that is required.
  private func misses(
    _ object: ManagedObject, in entity: EntityPlan, sparing way: String?
  ) -> Bool {
    context.importWillSave(object)
    return entity.lacks.contains { name in
      guard name != way, let index = entity.entity.index(of: name) else { return false }
      let property = entity.entity.properties[index]
      guard let storage = property.storageClass, property.kind != .toOne else {
        return object.destination(index) == nil
      }
      return object.importedScalar(at: index, storage: storage).isNull
    }
  }

  /// An object that says no stays as it is, also where it is; a new one does not stay.
  private func decline(_ object: ManagedObject, isNew: Bool) {
    if isNew { object.delete() } else { unit.spared.insert(ObjectIdentifier(object)) }
  }

  /// - Returns: Whether anything was changed.
  private func set(
    _ value: ValueDraft, of object: ManagedObject, in entity: EntityPlan, isNew: Bool
  ) throws -> Bool {
    let attribute = entity.attributes[value.attribute]
    let scalar = value.scalar ?? attribute.fallback
    if attribute.isImported, let source = value.source {
      let old = object.importedScalar(at: attribute.index, storage: attribute.storage)
      let given = ImportValue(
        source: source, scalar: scalar, isReadable: value.failure == nil)
      let isDone = try asked("import of \(attribute.name)", of: object) {
        try object._importProperty(attribute.name, given)
      }
      if isDone {
        return object.importedScalar(at: attribute.index, storage: attribute.storage) != old
      }
      if let failure = value.failure { throw failure }
      if scalar.isNull, attribute.mapping.null == .keep { return false }
    }
    let old = object.importedScalar(at: attribute.index, storage: attribute.storage)
    if old == scalar || !isNew && attribute.coercion.isSame(scalar, as: old) { return false }
    guard attribute.isSideKey, !scalar.isNull else {
      object.setScalar(at: attribute.index, to: scalar)
      return true
    }
    if attribute.isUnique, isTaken(scalar, for: attribute, by: object) {
      throw Refusal(
        .saveConstraint,
        "\(entity.entity.name).\(attribute.name) must be unique, and another has \(scalar.shown)"
      ).under(value.path)
    }
    object.setScalar(at: attribute.index, to: scalar)
    give(object, key: KeyRef(attribute, scalar))
    return true
  }

  /// Calls code of the class; what that throws refuses the record.
  @discardableResult
  func asked<Result>(
    _ hook: String, of object: ManagedObject, body: () throws -> Result
  ) throws -> Result {
    do { return try object.runImportHook(hook, body: body) } catch let error as CauldronError {
      throw Refusal(error.code, error.message)
    } catch {
      var refusal = Refusal(
        .validationFailed, "\(hook) of \(object.layout.name) throws \(type(of: error))")
      refusal.underlying = error
      throw refusal
    }
  }
}

// Records that can be refused after something of them was set.
extension ImportRun {
  func beginUndo() {
    if context.undoManager == nil {
      let manager = UndoManager(levelsOfUndo: 1)
      manager.groupsByEvent = false
      manager.takesAllBack = true
      context.undoManager = manager
    }
    context.processPendingChanges()
    context.undoManager?.removeAllActions()
    // Finding and validating process changes, too: all that the record does is one group.
    context.undoManager?.beginUndoGrouping()
  }

  func endUndo() {
    context.undoManager?.endUndoGrouping()
    if !plan.needsUndo { context.undoManager = nil }
  }

  func undo() throws {
    context.undoManager?.endUndoGrouping()
    if context.undoManager?.canUndo == true { try context.undo() }
    context.undoManager?.removeAllActions()
    if !plan.needsUndo { context.undoManager = nil }
    for step in unit.steps.reversed() { takeBack(step) }
  }

  /// Notes how something is forgotten where the record is refused.
  func note(_ step: RecordUnit.Step) {
    if unit.isUndoable { unit.steps.append(step) }
  }

  private func takeBack(_ step: RecordUnit.Step) {
    switch step {
    case .keyed(let ref, let slot): takeBack(ref, slot: slot)
    case .waits(let ref): waiting[ref]?.removeLast()
    case .hasArrived(let ref, let links): waiting[ref] = links
    case .stub(let id): stubs[id] = nil
    case .linksStub(let id): stubLinks[id]?.removeLast()
    case .isFilled(let id, let ref, let links):
      stubs[id] = ref
      stubLinks[id] = links
    case .lapsed(let place, let former): lapsed[place] = former
    }
  }

  /// Validates as a save would the objects that the record has changed, but none that waits for a
  /// link.
  func validate() throws {
    context.processPendingChanges()
    var touched = context.importTouched()
    if plan.tellsOfSaves {
      context.importWillSave(touched)
      touched = context.importTouched()
    }
    let problem: CauldronError?
    do {
      problem = try context.importProblem(touched) { [self] object in
        unit.waits.contains(object.objectID) || late[object.objectID] != nil
      }
    } catch { throw Refusal(error.code, error.message.trimmed) }
    if let problem { throw Refusal(problem.code, problem.message.trimmed) }
    try checkUnique(touched)
    noteEdits(touched)
  }

  /// A property that code of the class has set is a change, too.
  private func noteEdits(_ touched: ImportTouched) {
    for (object, number, isOwn) in unit.untouched
    where touched.edited.contains(object.objectID) {
      if isOwn {
        unit.outcome = .updated
      } else {
        unit.related[number, default: (0, 0)].updated += 1
      }
    }
  }
}
