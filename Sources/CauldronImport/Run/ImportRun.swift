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
  /// What this import has given keys and not saved. Some may have lost them again.
  var keyed: [KeyRef: [ManagedObject]] = [:]
  /// Of which nothing but the key is known, though it is created.
  var stubs: [KeyRef: ManagedObjectID] = [:]
  var stubLinks: [KeyRef: [Waiting]] = [:]
  var waiting: [KeyRef: [Waiting]] = [:]
  /// What has links that wait, or lead to stubs, and since when such a relationship says something else.
  var open: Set<LinkPlace> = []
  var lapsed: [LinkPlace: Int] = [:]
  /// How often something was said of such a relationship.
  var serial = 0
  /// The objects of the records themselves, where others may be deleted.
  var own: Set<ManagedObjectID> = []
  var removed: [RecordUnit.Removed] = []
  /// The keys of refused records.
  var refused: Set<KeyRef> = []
  /// The keys that the first reading has found; nil where there is none.
  package var announced: ImportKeys?

  // In a chunk.
  var chunk = ImportChunk()
  /// What the store has for a key; that two have it leaves open which is meant.
  var found: [KeyRef: [ManagedObject]] = [:]
  var look: [KeyPlace: ManagedObjectContext.Look] = [:]
  // In a record.
  var unit: RecordUnit
  /// The objects of the records, in their order; nil where nobody wants them.
  package var collected: [ManagedObjectID?]?

  package init(_ plan: ImportPlan, _ context: ManagedObjectContext, isPreview: Bool = false) {
    self.plan = plan
    self.context = context
    self.isPreview = isPreview
    report = ImportReport(entity: plan.entities[0].entity.name)
    unit = RecordUnit(
      record: RecordDraft(number: 0, objects: 0..<0, problem: nil, key: nil, isAlone: false))
    if isPreview { context.importReservesNothing() }
  }

  /// Imports a chunk.
  /// - Throws: What the store meets; with `stopsAtFirst` also `import.refused`.
  package func take(_ chunk: ImportChunk) throws {
    self.chunk = chunk
    try lookUp()
    walkMembers()
    for record in chunk.records { try take(record) }
    context.processPendingChanges()
    found.removeAll(keepingCapacity: true)
    look.removeAll(keepingCapacity: true)
    self.chunk = ImportChunk()
  }

  private func take(_ record: RecordDraft) throws {
    unit = RecordUnit(record: record)
    report.records += 1
    collected?.append(nil)
    if let problem = record.problem { return try refuse(problem) }
    do {
      unit.isUndoable = try check(record) || plan.needsUndo
      if unit.isUndoable { beginUndo() }
      let object = try object(record.objects.lowerBound)
      if plan.needsUndo { try validate() }
      if unit.isUndoable { endUndo() }
      keep(object)
    } catch let refusal as Refusal {
      if unit.isUndoable { try undo() }
      try refuse(problem(refusal))
    }
  }

  private func refuse(_ problem: ImportProblem) throws {
    report.refused += 1
    report.note(problem)
    if let value = unit.record.key, !value.isNull, let key = plan.entities[0].key {
      refused.insert(KeyRef(key, value))
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
    removed += unit.removed
    guard let object else { return }
    if plan.deletes { own.insert(object.objectID) }
    if let collected { self.collected?[collected.count - 1] = object.objectID }
  }
}
