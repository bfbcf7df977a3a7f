import CauldronGraph
import CauldronModel
import CauldronSave

/// Imports the objects of a record: finds or creates each, and sets what the record says of it.
final class RecordImport {
  let state: ImportState
  let keys: KeyFinding
  let checking: RecordChecking
  let waiting: WaitingLinks
  let deleting: MemberDeleting
  private let late: LateObjects
  /// What has become of the record's objects so far.
  @exclusivity(unchecked) var outcome = RecordOutcome()
  /// Members that stay where they are, because they have said so.
  @exclusivity(unchecked) private(set) var spared: Set<ObjectIdentifier> = []

  init(
    _ checking: RecordChecking, _ keys: KeyFinding, _ waiting: WaitingLinks,
    _ deleting: MemberDeleting, _ late: LateObjects, in state: ImportState
  ) {
    self.state = state
    self.keys = keys
    self.checking = checking
    self.waiting = waiting
    self.deleting = deleting
    self.late = late
  }

  func beginRecord() {
    outcome = RecordOutcome()
    spared.removeAll(keepingCapacity: true)
  }

  /// Finds or creates an object of the record, and sets what the record says of it.
  /// - Returns: Nil where the object does not want to be imported.
  func object(_ index: Int) throws -> ManagedObject? {
    let draft = state.chunk.objects[index]
    let entity = state.plan.entities[draft.plan]
    do {
      return try object(
        of: draft, in: entity, at: index, isOwn: index == state.record.objects.lowerBound)
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
        outcome.note(.declined, of: draft.plan, isOwn: isOwn)
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
    for value in state.chunk.values[draft.values] {
      if try set(value, of: object, in: entity, isNew: isNew) { isChanged = true }
    }
    giveSideKeys(object, in: entity, former: former)
    for link in state.chunk.links[draft.links] {
      if try self.link(link, of: object, from: draft, in: entity) { isChanged = true }
    }
    if entity.isAsked, let source = draft.source {
      try asked("didImport(_:)", of: object) { try object.didImport(source) }
    }
    tally(
      object, from: draft, isNew ? .created : isChanged ? .updated : .unchanged, isOwn: isOwn)
    if waiting.waits.contains(object.objectID) {
      late.add(
        LateObject(
          id: object.objectID, record: state.record, path: draft.path, isOwn: isOwn, isNew: isNew))
    }
    return object
  }

  /// The object of a draft, and why the draft cannot be it. Where a hook is asked whether to import
  /// the draft, the refusal comes after the hook, which runs on a stand-in where there is no
  /// object.
  private func found(
    _ draft: ObjectDraft, in entity: EntityPlan, at index: Int
  ) throws -> (object: ManagedObject, isNew: Bool, refusal: Refusal?) {
    let refusal = checking.refusals[index]
    if let known = state.known(index) { return (known, false, refusal) }
    do {
      let (object, isNew) = try target(of: draft, in: entity, sparing: checking.ways[index])
      return (object, isNew, refusal)
    } catch let error as Refusal where state.asksClass(of: draft) {
      let standIn = state.context.importCreated(entity.entity)
      entity.key?.set(state.chunk.keys[draft.key].value, of: standIn)
      return (standIn, true, refusal ?? error)
    }
  }

  private func tally(
    _ object: ManagedObject, from draft: ObjectDraft, _ kind: RecordOutcome.Kind, isOwn: Bool
  ) {
    let entity = state.plan.entities[draft.plan]
    if kind == .unchanged, entity.isAsked || !entity.imported.isEmpty {
      outcome.note(untouched: object, of: draft.plan, isOwn: isOwn)
    }
    outcome.note(kind, of: draft.plan, isOwn: isOwn)
  }

  /// The object of a record, new where there is none.
  private func target(
    of draft: ObjectDraft, in entity: EntityPlan, sparing way: String?
  ) throws -> (object: ManagedObject, isNew: Bool) {
    guard let key = entity.key else {
      if !entity.alwaysInserts { state.report.noteKeyless(entity.entity.name) }
      return (state.context.importCreated(entity.entity), true)
    }
    guard let known = try keys.resolved(draft.key, in: entity) else {
      // It may have been there before the record took its key from another.
      if state.plan.movesKeys, !entity.mayFill {
        try checking.checkIsComplete(draft, in: entity, sparing: way)
      }
      return (try keys.create(with: state.chunk.keys[draft.key].value, in: entity, as: key), true)
    }
    if !known.layout.isKind(of: entity.entity) { throw Refusal(known, isNo: entity.entity) }
    waiting.fill(known.objectID)
    return (known, false)
  }

  /// Creates an object that is nothing but a key.
  /// - Parameter way: What will be set by whoever leads to it.
  /// - Returns: Nil where such an object would miss something.
  func stub(
    _ slot: Int, in entity: EntityPlan, by key: KeyPlan, sparing way: String?
  ) throws -> ManagedObject? {
    if entity.stubMisses.contains(where: { $0 != way }) { return nil }
    let ref = state.chunk.keys[slot]
    let object = try keys.create(with: ref.value, in: entity, as: key)
    if entity.mayFill, misses(object, in: entity, sparing: way) {
      decline(object, isNew: true)
      return nil
    }
    if state.plan.mayBeRefused(entity) { waiting.addStub(object.objectID, ref) }
    give(object, slot: slot, of: key)
    return object
  }

  /// Whether the class has left out something that is required.
  private func misses(
    _ object: ManagedObject, in entity: EntityPlan, sparing way: String?
  ) -> Bool {
    state.context.importWillSave(object)
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
    if isNew { object.delete() } else { spared.insert(ObjectIdentifier(object)) }
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
    if attribute.isUnique, keys.isTaken(scalar, for: attribute, by: object) {
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

  /// Notes that a new object leads nowhere yet, so the store is not asked.
  func knowEmpty(_ object: ManagedObject, from draft: ObjectDraft, in entity: EntityPlan) {
    for link in state.chunk.links[draft.links] {
      let relationship = entity.relationships[link.relationship]
      if relationship.isToMany, relationship.isRead(by: link) {
        state.context.importKnowsEmpty(object, at: relationship.index)
      }
    }
  }

  /// An object has a key of the chunk now: what has waited for that leads to it.
  private func give(_ object: ManagedObject, slot: Int, of key: KeyPlan) {
    let ref = state.chunk.keys[slot]
    give(object, key: ref, slot: slot)
    for side in key.sideKeys(of: ref.value) { give(object, key: side) }
  }

  /// Notes the new values of an object by which plans of other entities find it.
  /// - Parameter former: What it had before; nil for a new object.
  private func giveSideKeys(_ object: ManagedObject, in entity: EntityPlan, former: [KeyValue]?) {
    for (position, key) in entity.sideKeys.enumerated() {
      let value = key.value(of: object)
      if value.isNull || value == former?[position] { continue }
      give(object, key: KeyRef(key, value))
    }
  }

  /// An object has a key now.
  private func give(_ object: ManagedObject, key: KeyRef) {
    give(object, key: key, slot: state.chunk.keys.known(key))
  }

  private func give(_ object: ManagedObject, key: KeyRef, slot: Int?) {
    keys.give(object, key: key, slot: slot)
    waiting.take(object, as: key)
  }
}

/// What has become of the objects of one record; it counts only where the record is not refused.
struct RecordOutcome {
  enum Kind { case created, updated, unchanged, declined }

  /// What has become of the record's own object.
  private(set) var own = Kind.unchanged
  /// What has become of nested objects, by the number of their plans.
  private var related: [Int: (created: Int, updated: Int)] = [:]
  /// What was there, and is not known to be changed, of classes that may change it themselves.
  private var untouched: [(object: ManagedObject, plan: Int, isOwn: Bool)] = []

  /// Notes what has become of an object.
  mutating func note(_ kind: Kind, of plan: Int, isOwn: Bool) {
    if isOwn {
      own = kind
      return
    }
    switch kind {
    case .created: related[plan, default: (0, 0)].created += 1
    case .updated: related[plan, default: (0, 0)].updated += 1
    case .unchanged, .declined: return
    }
  }

  /// Notes an object that code of its class may have changed.
  mutating func note(untouched object: ManagedObject, of plan: Int, isOwn: Bool) {
    untouched.append((object, plan, isOwn))
  }

  /// A property that code of the class has set is a change, too.
  mutating func noteEdits(_ touched: ImportTouched) {
    for (object, plan, isOwn) in untouched where touched.edited.contains(object.objectID) {
      note(.updated, of: plan, isOwn: isOwn)
    }
  }

  /// Counts the record.
  func count(in report: inout ImportReport, _ plan: ImportPlan) {
    switch own {
    case .created: report.created += 1
    case .updated: report.updated += 1
    case .unchanged: report.unchanged += 1
    case .declined: report.declined += 1
    }
    for (number, counts) in related {
      let name = plan.entities[number].entity.name
      report.related[name, default: .init()].created += counts.created
      report.related[name, default: .init()].updated += counts.updated
    }
  }
}
