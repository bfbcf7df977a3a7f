import CauldronGraph
import CauldronModel

extension ImportRun {
  /// The input has ended: what has waited for more is left out, and reported.
  package func finish() throws {
    leaveOutRefused()
    for (key, links) in waiting.sorted(by: { $0.value[0].record < $1.value[0].record }) {
      for link in links { leaveOut(link, key, isRefused: refused.contains(key)) }
    }
    waiting = [:]
    deleteRemoved()
    context.processPendingChanges()
    context.undoManager = nil
  }

  /// All that was imported so far is saved.
  package func noteCommit() {
    report.committed = report.records
    created = [:]
  }

  /// Takes away what stands for records that were refused.
  private func leaveOutRefused() {
    for (key, id) in stubs where refused.contains(key) {
      for link in stubLinks[key] ?? [] {
        let relationship = plan.entities[link.plan].relationships[link.relationship]
        let owner = context.object(with: link.owner)
        let stub = context.object(with: id)
        if relationship.isToMany {
          owner.removeDestination(relationship.index, stub)
        } else if owner.destination(relationship.index) === stub {
          owner.setDestination(relationship.index, nil)
        }
        leaveOut(link, key, isRefused: true)
      }
      context.object(with: id).delete()
    }
  }

  private func leaveOut(_ link: Waiting, _ key: KeyRef, isRefused: Bool) {
    let relationship = plan.entities[link.plan].relationships[link.relationship]
    let entity = plan.entities[relationship.destination]
    let name = "\(entity.entity.name).\(entity.key?.property.name ?? "")"
    let missing = entity.stubMisses.joined(separator: ", ")
    let why =
      isRefused
      ? "the record with \(name) \(key.value.shown) was refused"
      : relationship.mapping.unknown == .stub && !missing.isEmpty
        ? "nothing has \(name) \(key.value.shown), and a \(entity.entity.name) needs \(missing)"
        : "nothing has \(name) \(key.value.shown)"
    report.note(
      ImportProblem(
        record: link.record, pointer: ImportPointer(record: link.record, path: link.path).text,
        code: isRefused ? .importRefused : .importUnknown, reason: why, consequence: .leftOut))
  }

  /// Deletes what was taken out of a relationship, where no record has linked it.
  private func deleteRemoved() {
    for removed in Set(removed) {
      let object = context.object(with: removed.id)
      guard (try? object.load()) != nil, object.isThereForImport else { continue }
      let inverse = object.layout.properties[removed.inverse]
      let isLinked =
        inverse.kind == .toMany
        ? !object.destinationIDs(removed.inverse).isEmpty
        : object.destination(removed.inverse) != nil
      if isLinked { continue }
      object.delete()
      report.deleted += 1
    }
    removed = []
  }
}
