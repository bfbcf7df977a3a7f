import CauldronGraph
import CauldronModel

extension ImportRun {
  /// The input has ended: what has waited for more is left out, and reported.
  package func finish() throws {
    unit.isUndoable = false
    followExchanges()
    var left = leaveOutRefused()
    for (key, links) in waiting {
      for link in links where !isLapsed(link) {
        left.append((link, key, isRefused: refused.contains(key)))
      }
    }
    waiting = [:]
    try refuseLate()
    // Of what is refused nobody needs to know which links it has not.
    for (link, key, isRefused) in left.sorted(by: { $0.link.comesBefore($1.link) })
    where !refusedLate.contains(link.owner) {
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
    taken = [:]
    followExchanges()
  }

  private typealias Left = (link: Waiting, key: KeyRef, isRefused: Bool)

  /// Takes away what stands for records that were refused, and puts back what that has replaced.
  private func leaveOutRefused() -> [Left] {
    let gone = stubs.filter { refused.contains($0.value) }
    if gone.isEmpty { return [] }
    let links = gone.flatMap { id, key in
      (stubLinks[id] ?? []).map { (link: $0, key: key, stub: id) }
    }
    let formers = FormerTargets(links.map { ($0.link, $0.stub) }, Set(gone.keys))
    let left = links.filter { !isLapsed($0.link) }
    var replaced: [(owner: ManagedObject, property: Int, former: ManagedObjectID)] = []
    for (link, _, stub) in left {
      let relationship = plan.entities[link.plan].relationships[link.relationship]
      let owner = context.object(with: link.owner)
      guard !relationship.isToMany, owner.destination(relationship.index)?.objectID == stub,
        let former = formers.former(of: link)
      else { continue }
      replaced.append((owner, relationship.index, former))
    }
    // Links go first: a stub takes nothing along.
    for (link, _, stub) in left { unlink(link, context.object(with: stub)) }
    for (id, key) in gone { deleteStub(context.object(with: id), key) }
    context.processPendingChanges()
    for (owner, property, former) in replaced { restore(owner, property, former) }
    return left.map { ($0.link, $0.key, isRefused: true) }
  }

  private func unlink(_ link: Waiting, _ stub: ManagedObject) {
    let relationship = plan.entities[link.plan].relationships[link.relationship]
    let owner = context.object(with: link.owner)
    guard owner.isThereForImport, stub.isThereForImport else { return }
    if relationship.isToMany {
      owner.removeDestination(relationship.index, stub)
    } else if owner.destination(relationship.index) === stub {
      owner.setDestination(relationship.index, nil)
    }
  }

  /// Deletes what stands for a refused record, unless somebody else has made more of it meanwhile.
  private func deleteStub(_ stub: ManagedObject, _ key: KeyRef) {
    guard context.importIsBare(stub, but: Int(key.place.property)) else { return }
    report.related[stub.layout.name]?.created -= 1
    stub.delete()
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
    let missing = entity.lacks.joined(separator: ", ")
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

  init(_ links: [(Waiting, ManagedObjectID)], _ gone: Set<ManagedObjectID>) {
    var all: [LinkPlace: [(Waiting, ManagedObjectID)]] = [:]
    for (link, target) in links {
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
