import CauldronGraph
import CauldronModel

/// Where an import is: its plan and context, the chunk and the record under way, and the report of all before.
final class ImportState {
  let plan: ImportPlan
  let context: ManagedObjectContext
  /// Whether nothing is ever saved.
  let isPreview: Bool
  @exclusivity(unchecked) var report: ImportReport
  /// The keys of refused records.
  private(set) var refused: Set<KeyRef> = []
  /// The keys that the first reading has found; nil where there is none.
  var announced: ImportKeys?
  /// The object that the only record is; nil where its key says that.
  var known: ManagedObject?
  @exclusivity(unchecked) private(set) var chunk = ImportChunk()
  @exclusivity(unchecked) private(set) var record = RecordDraft(
    place: RecordPlace(number: 0), objects: 0..<0, problem: nil, key: nil)
  /// How often something was said of links that wait or may go.
  private(set) var serial = 0

  init(_ plan: ImportPlan, _ context: ManagedObjectContext, isPreview: Bool) {
    self.plan = plan
    self.context = context
    self.isPreview = isPreview
    report = ImportReport(entity: plan.entities[0].entity.name, warnings: plan.warnings)
  }

  func begin(_ chunk: ImportChunk) {
    self.chunk = chunk
    report.note(chunk.unread)
  }

  func endChunk() { chunk = ImportChunk() }

  func begin(_ record: RecordDraft) {
    self.record = record
    report.records += 1
  }

  /// The number of what is said now of a link.
  func nextSerial() -> Int {
    serial += 1
    return serial
  }

  /// The object that a draft is known to be.
  func known(_ index: Int) -> ManagedObject? {
    index == record.objects.lowerBound ? known : nil
  }

  /// Whether the class says which of its objects are imported.
  func asksClass(of draft: ObjectDraft) -> Bool {
    plan.entities[draft.plan].isAsked && draft.source != nil
  }

  /// The relationship of a link that waits.
  func relationship(of link: WaitingLink) -> RelationshipPlan {
    plan.entities[link.plan].relationships[link.relationship]
  }

  /// Leaves the record out.
  /// - Throws: `import.refused` where the import stops at that.
  func refuse(_ problem: ImportProblem, underlying: (any Error)? = nil) throws {
    report.refused += 1
    report.note(problem)
    if let value = record.key, !value.isNull, let key = plan.entities[0].key {
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

  /// Leaves the record out for something in it.
  func refuse(_ refusal: Refusal) throws {
    try refuse(
      record.place.problem(at: refusal.path, refusal.code, refusal.reason, .refused),
      underlying: refusal.underlying)
  }
}
