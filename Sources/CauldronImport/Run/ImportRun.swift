package import CauldronGraph
package import CauldronModel

/// An import under way: takes chunks of records to a context. It belongs to the context's queue.
package final class ImportRun {
  let plan: ImportPlan
  let context: ManagedObjectContext
  /// Whether nothing is ever saved.
  let isPreview: Bool
  @exclusivity(unchecked) package internal(set) var report: ImportReport

  // Across chunks.
  /// What this import has given keys and not saved. Some may have lost them again.
  @exclusivity(unchecked) var keyed: [KeyRef: KeyHolders] = [:]
  /// Of which nothing but the key is known, though it is created.
  var stubs: [ManagedObjectID: KeyRef] = [:]
  var stubLinks: [ManagedObjectID: [Waiting]] = [:]
  var waiting: [KeyRef: [Waiting]] = [:]
  /// What has links that wait, or lead to stubs, and since when such a relationship says something else.
  var open: Set<LinkPlace> = []
  var lapsed: [LinkPlace: Int] = [:]
  /// How often something was said of such a relationship.
  var serial = 0
  /// The objects of the records themselves, where others may be deleted.
  var own: Set<ManagedObjectID> = []
  var removed: [RemovedMember] = []
  /// By which ways back records have led to objects, and when they did last, where others may be deleted.
  var linked: [LinkPlace: Int] = [:]
  /// What is yet to be validated, because it waits, or has waited, for a link.
  var late: [ManagedObjectID: LateObject] = [:]
  var refusedLate: Set<ManagedObjectID> = []
  /// The values that this import has given, of which there may be one each.
  var taken: [UniqueValues: ManagedObject] = [:]
  /// How many keys had been exchanged when IDs were noted.
  private var exchanges: UInt32 = 0
  /// The keys of refused records.
  var refused: Set<KeyRef> = []
  /// The keys that the first reading has found; nil where there is none.
  package var announced: ImportKeys?

  /// The object that the only record is; nil where its key says that.
  package var known: ManagedObject?

  // In a chunk.
  @exclusivity(unchecked) var chunk = ImportChunk()
  /// What has the chunk's keys.
  @exclusivity(unchecked) var slots: [KeySlot] = []
  /// What the store has for keys, where records change them.
  var found: [KeyRef: KeyHolders] = [:]
  var looks: [(place: KeyPlace, look: ManagedObjectContext.Look)] = []
  /// What the store has of other unique values.
  var foundUnique: [UniqueValues: [ManagedObject]] = [:]
  // In a record.
  @exclusivity(unchecked) var unit: RecordUnit
  /// The objects of the records, in their order; nil where nobody wants them.
  package var collected: [ManagedObjectID?]?

  package init(_ plan: ImportPlan, _ context: ManagedObjectContext, isPreview: Bool = false) {
    self.plan = plan
    self.context = context
    self.isPreview = isPreview
    report = ImportReport(entity: plan.entities[0].entity.name, warnings: plan.warnings)
    unit = RecordUnit(
      record: RecordDraft(number: 0, objects: 0..<0, problem: nil, key: nil, isAlone: false))
    context.importJoins(by: plan.foundBy)
    if isPreview { context.importReservesNothing() }
  }

  /// Imports a chunk.
  /// - Throws: What the store meets; with `stopsAtFirst` also `import.refused`.
  package func take(_ chunk: ImportChunk) throws {
    self.chunk = chunk
    try lookUp()
    try lookUpUnique()
    walkMembers()
    for record in chunk.records { try take(record) }
    context.processPendingChanges()
    found.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    looks.removeAll(keepingCapacity: true)
    foundUnique.removeAll(keepingCapacity: true)
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
      try refuse(problem(refusal), refusal.underlying)
    }
  }

  /// The object that a draft is known to be.
  func known(_ index: Int) -> ManagedObject? {
    index == unit.record.objects.lowerBound ? known : nil
  }

  /// Objects may have other keys since they were noted.
  func followExchanges() {
    let count = context.importExchangeCount
    guard count != exchanges else { return }
    exchanges = count
    follow()
  }

  private func refuse(_ problem: ImportProblem, _ underlying: (any Error)? = nil) throws {
    report.refused += 1
    report.note(problem)
    if let value = unit.record.key, !value.isNull, let key = plan.entities[0].key {
      refused.insert(KeyRef(key, value))
    }
    guard plan.options.stopsAtFirst else { return }
    throw CauldronError(
      .importRefused, "The import of \(report.entity) has stopped at \(problem).",
      hint: report.committed > 0 ? "" : "Nothing was imported."
    ).with {
      $0.entity = report.entity
      $0.underlying = underlying
    }
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
    linked.merge(unit.linked) { max($0, $1) }
    for object in unit.late { late[object.id] = object }
    guard let object else { return }
    if plan.deletes { own.insert(object.objectID) }
    if let collected { self.collected?[collected.count - 1] = object.objectID }
  }
}
