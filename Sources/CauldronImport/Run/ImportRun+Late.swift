import CauldronGraph
import CauldronModel

// Objects that had to wait for a link before they could be validated.
extension ImportRun {
  /// Whether all that was imported can be saved: what waits for a link that it needs holds that up.
  package func mayCommit() throws -> Bool {
    followExchanges()
    try late = late.filter { _, object in
      let object = context.object(with: object.id)
      return try object.isThereForImport && context.importProblem(of: [object]) != nil
    }
    return late.isEmpty
  }

  /// Refuses what is not whole at the end, and what cannot be without that.
  func refuseLate() throws {
    var open = late.values.sorted { $0.record.number < $1.record.number }
    late = [:]
    while !open.isEmpty {
      var next: [LateObject] = []
      for object in open {
        let live = context.object(with: object.id)
        guard live.isThereForImport, let problem = try context.importProblem(of: [live]) else {
          continue
        }
        let others = dependents(of: live, object)
        refuse(live, object, problem)
        next += others
      }
      context.processPendingChanges()
      open = next
    }
  }

  /// The objects that must lead to an object.
  private func dependents(of object: ManagedObject, _ late: LateObject) -> [LateObject] {
    var all: [LateObject] = []
    for property in object.layout.properties {
      guard let destination = property.destination else { continue }
      let inverse = destination.entity.properties[destination.inverse]
      guard inverse.kind == .toOne, inverse.isRequired else { continue }
      let others =
        property.kind == .toMany
        ? object.destinations(property.index)
        : object.destination(property.index).map { [$0] } ?? []
      for other in others where other.isThereForImport {
        all.append(
          LateObject(
            id: other.objectID, record: late.record, isOwn: false,
            isNew: other.isInserted))
      }
    }
    return all
  }

  private func refuse(_ live: ManagedObject, _ object: LateObject, _ problem: CauldronError) {
    refusedLate.insert(live.objectID)
    if live.isInserted { live.delete() } else { context.refresh(live, mergeChanges: false) }
    if object.isOwn {
      report.refused += 1
      if object.isNew { report.created -= 1 } else { report.updated = max(0, report.updated - 1) }
    } else if object.isNew {
      report.related[live.layout.name]?.created -= 1
    }
    let record = object.record
    report.note(
      ImportProblem(
        record: record.number,
        pointer: ImportPointer(record: record.isAlone ? nil : record.number, "").text,
        code: problem.code, reason: problem.message.trimmed,
        consequence: object.isOwn ? .refused : .leftOut))
  }
}
