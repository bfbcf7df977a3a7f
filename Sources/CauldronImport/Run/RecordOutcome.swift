import CauldronGraph
import CauldronModel

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
