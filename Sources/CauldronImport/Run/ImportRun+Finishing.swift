import CauldronGraph
import CauldronModel

extension ImportRun {
  /// The input has ended: what has waited for more is left out, and reported.
  package func finish() throws {
    unit.isUndoable = false
    var left = leaveOutRefused()
    for (key, links) in waiting {
      for link in links where !isLapsed(link) {
        left.append((link, key, isRefused: refused.contains(key)))
      }
    }
    waiting = [:]
    for (link, key, isRefused) in left.sorted(by: { $0.link.comesBefore($1.link) }) {
      leaveOut(link, key, isRefused: isRefused)
    }
    deleteRemoved()
    context.processPendingChanges()
    context.undoManager = nil
  }

  /// All that was imported so far is saved.
  package func noteCommit() {
    report.committed = report.records
    keyed = [:]
  }

  private typealias Left = (link: Waiting, key: KeyRef, isRefused: Bool)

  /// Takes away what stands for records that were refused, and puts back what that has replaced.
  private func leaveOutRefused() -> [Left] {
    let gone = stubs.filter { refused.contains($0.key) }
    if gone.isEmpty { return [] }
    let links = gone.keys.flatMap { key in
      (stubLinks[key] ?? []).map { (link: $0, key: key, isRefused: true) }
    }
    let formers = FormerTargets(links.map { ($0.link, gone[$0.key]) }, Set(gone.values))
    let left = links.filter { !isLapsed($0.link) }
    var replaced: [(owner: ManagedObject, property: Int, former: ManagedObjectID)] = []
    for (link, key, _) in left {
      let relationship = plan.entities[link.plan].relationships[link.relationship]
      let owner = context.object(with: link.owner)
      guard !relationship.isToMany, owner.destination(relationship.index)?.objectID == gone[key],
        let former = formers.former(of: link)
      else { continue }
      replaced.append((owner, relationship.index, former))
    }
    for id in gone.values {
      let stub = context.object(with: id)
      report.related[stub.layout.name]?.created -= 1
      stub.delete()
    }
    // The links are gone with the objects.
    context.processPendingChanges()
    for (owner, property, former) in replaced { restore(owner, property, former) }
    return left
  }

  private func restore(_ owner: ManagedObject, _ property: Int, _ former: ManagedObjectID) {
    let target = context.object(with: former)
    guard (try? target.load()) != nil, target.isThereForImport, owner.isThereForImport else {
      return
    }
    if let inverse = owner.layout.properties[property].destination?.inverse,
      target.layout.properties[inverse].kind == .toOne, target.destination(inverse) != nil
    {
      return
    }
    owner.setDestination(property, target)
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
        record: link.record, pointer: link.pointer,
        code: isRefused ? .importRefused : .importUnknown, reason: why, consequence: .leftOut))
  }

  /// Deletes what was taken out of a relationship, where no record has linked it and none is about it.
  private func deleteRemoved() {
    var orphans: Set<ManagedObjectID> = []
    for removed in Set(removed) where !own.contains(removed.id) {
      let object = context.object(with: removed.id)
      guard (try? object.load()) != nil, object.isThereForImport else { continue }
      let inverse = object.layout.properties[removed.inverse]
      let isLinked =
        inverse.kind == .toMany
        ? !object.destinationIDs(removed.inverse).isEmpty
        : object.destination(removed.inverse) != nil
      if !isLinked { orphans.insert(object.objectID) }
    }
    // What one of them leads to is not one of them for that.
    for id in orphans {
      let object = context.object(with: id)
      if !object.isThereForImport { continue }
      object.delete()
      report.deleted += 1
    }
    removed = []
  }
}

extension Waiting {
  /// Whether it comes first in the report.
  fileprivate func comesBefore(_ other: Waiting) -> Bool {
    (record, serial) < (other.record, other.serial)
  }
}

/// What relationships led to before they led to objects that go.
private struct FormerTargets {
  private let links: [LinkPlace: [(link: Waiting, target: ManagedObjectID)]]
  private let gone: Set<ManagedObjectID>

  init(_ links: [(Waiting, ManagedObjectID?)], _ gone: Set<ManagedObjectID>) {
    var all: [LinkPlace: [(Waiting, ManagedObjectID)]] = [:]
    for (link, target) in links {
      guard let target else { continue }
      all[link.place, default: []].append((link, target))
    }
    self.links = all
    self.gone = gone
  }

  /// The last target before a link that does not go.
  func former(of link: Waiting) -> ManagedObjectID? {
    guard let former = link.former, gone.contains(former) else { return link.former }
    let before = links[link.place]?
      .filter { $0.target == former && $0.link.serial < link.serial }
      .max { $0.link.serial < $1.link.serial }
    return before.flatMap { self.former(of: $0.link) }
  }
}
