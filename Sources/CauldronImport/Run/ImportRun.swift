package import CauldronGraph
package import CauldronModel

/// An import under way: takes chunks of records to a context. It belongs to the context's queue.
package final class ImportRun {
  let plan: ImportPlan
  let context: ManagedObjectContext
  /// Whether nothing is ever saved.
  let isPreview: Bool
  package internal(set) var report: ImportReport

  // Across chunks.
  /// What this import has created and not saved, by key.
  @exclusivity(unchecked) var created: [KeyRef: ManagedObject] = [:]
  /// Of which nothing but the key is known, though it is created.
  var stubs: [KeyRef: ManagedObjectID] = [:]
  var stubLinks: [KeyRef: [Waiting]] = [:]
  var waiting: [KeyRef: [Waiting]] = [:]
  var removed: [RecordUnit.Removed] = []
  /// The keys of refused records.
  var refused: Set<KeyRef> = []
  /// The keys that the first reading has found; nil where there is none.
  package var announced: ImportKeys?

  // In a chunk.
  @exclusivity(unchecked) var chunk = ImportChunk()
  @exclusivity(unchecked) var slots: [KeySlot] = []
  /// The slots of the chunk's objects, and of its children that are keys; -1 for all others.
  @exclusivity(unchecked) var objectSlots: [Int] = []
  @exclusivity(unchecked) var childSlots: [Int] = []
  var look: [Place: ManagedObjectContext.Look] = [:]
  // In a record.
  @exclusivity(unchecked) var unit: RecordUnit
  /// The objects of the records, in their order; nil where nobody wants them.
  package var collected: [ManagedObjectID?]?

  /// Where keys are looked for together.
  struct Place: Hashable {
    let entity: Int32
    let property: Int32
  }

  package init(_ plan: ImportPlan, _ context: ManagedObjectContext, isPreview: Bool = false) {
    self.plan = plan
    self.context = context
    self.isPreview = isPreview
    report = ImportReport(entity: plan.entities[0].entity.name)
    unit = RecordUnit(
      record: RecordDraft(number: 0, objects: 0..<0, problem: nil, key: nil, isAlone: false))
    if isPreview { context.importReservesNothing() }
    if plan.needsUndo {
      let manager = UndoManager(levelsOfUndo: 1)
      manager.groupsByEvent = false
      context.undoManager = manager
    }
  }

  /// Imports a chunk.
  /// - Throws: What the store meets; with `stopsAtFirst` also `import.refused`.
  package func take(_ chunk: ImportChunk) throws {
    self.chunk = chunk
    try lookUp()
    walkMembers()
    for record in chunk.records { try take(record) }
    context.processPendingChanges()
    slots.removeAll(keepingCapacity: true)
    look.removeAll(keepingCapacity: true)
    self.chunk = ImportChunk()
  }

  private func take(_ record: RecordDraft) throws {
    unit = RecordUnit(record: record)
    report.records += 1
    collected?.append(nil)
    if let problem = record.problem { return try refuse(problem) }
    if plan.needsUndo { beginUndo() }
    do {
      try check(record)
      let object = try object(record.objects.lowerBound)
      if plan.needsUndo { try validate() }
      keep(object)
    } catch let refusal as Refusal {
      if plan.needsUndo { try undo() }
      for slot in unit.filled { slots[slot].isStub = true }
      for slot in unit.created { slots[slot] = KeySlot(ref: slots[slot].ref, state: .unknown) }
      try refuse(problem(refusal))
    }
  }

  private func refuse(_ problem: ImportProblem) throws {
    report.refused += 1
    report.note(problem)
    if let key = unit.record.key, let plan = plan.entities[0].key {
      refused.insert(KeyRef(plan, of: self.plan.entities[0], key))
    }
    guard plan.options.stopsAtFirst else { return }
    throw CauldronError(
      .importRefused, "The import of \(report.entity) has stopped at \(problem).",
      hint: report.committed > 0
        ? "The first \(report.committed) records are saved." : "Nothing was imported."
    ).with { $0.entity = report.entity }
  }

  private func problem(_ refusal: Refusal) -> ImportProblem {
    let record = unit.record
    return ImportProblem(
      record: record.number,
      pointer: ImportPointer(record: record.isAlone ? nil : record.number, refusal.path).text,
      code: refusal.code, reason: refusal.reason, consequence: .refused)
  }

  /// The record stays: what it has done is done.
  private func keep(_ object: ManagedObject?) {
    switch unit.outcome {
    case .created: report.created += 1
    case .updated: report.updated += 1
    case .unchanged: report.unchanged += 1
    case .declined: report.declined += 1
    }
    for (number, counts) in unit.related {
      report.related[plan.entities[number].entity.name, default: .init()].created += counts.created
      report.related[plan.entities[number].entity.name, default: .init()].updated += counts.updated
    }
    for slot in unit.created {
      guard case .object(let object) = slots[slot].state else { continue }
      created[slots[slot].ref] = object
      if slots[slot].isStub { stubs[slots[slot].ref] = object.objectID }
    }
    for (key, link) in unit.stubLinks { stubLinks[key, default: []].append(link) }
    for slot in unit.filled {
      stubs[slots[slot].ref] = nil
      stubLinks[slots[slot].ref] = nil
    }
    for (key, link) in unit.waiting { waiting[key, default: []].append(link) }
    removed += unit.removed
    if let collected, let object { self.collected?[collected.count - 1] = object.objectID }
    if waiting.isEmpty { return }
    for slot in unit.created { linkWaiting(slots[slot].ref) }
  }
}
