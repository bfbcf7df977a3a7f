import CauldronGraph
import CauldronModel

/// The links that are left out at the end of an import, because what they lead to has not come, or was refused.
struct LeftOutLinks {
  private let state: ImportState
  private let waiting: WaitingLinks
  private var left: [Left] = []

  private typealias Left = (link: WaitingLink, key: KeyRef, isRefused: Bool)

  /// Ends the waiting, and takes away what stands for refused records.
  init(_ state: ImportState, _ waiting: WaitingLinks) {
    self.state = state
    self.waiting = waiting
    left = leaveOutRefused()
    for (link, key) in waiting.end() {
      left.append((link, key, isRefused: state.refused.contains(key)))
    }
  }

  /// Reports the links.
  /// - Parameter refused: The objects that were refused at the end: of these nobody needs to know which links
  ///   they have not.
  func report(but refused: Set<ManagedObjectID>) {
    for (link, key, isRefused) in left.sorted(by: { $0.link.comesBefore($1.link) })
    where !refused.contains(link.owner) {
      leaveOut(link, to: key, isRefused: isRefused)
    }
  }

  /// Takes away the stubs of refused records, and puts back the targets that these stubs have
  /// replaced.
  private func leaveOutRefused() -> [Left] {
    let gone = waiting.stubs.filter { state.refused.contains($0.value) }
    if gone.isEmpty { return [] }
    let links = gone.flatMap { id, key in
      (waiting.stubLinks[id] ?? []).map { (link: $0, key: key, stub: id) }
    }
    let formers = FormerTargets(links.map { ($0.link, $0.stub) }, Set(gone.keys))
    let left = links.filter { !waiting.isLapsed($0.link) }
    var replaced: [(owner: ManagedObject, property: Int, former: ManagedObjectID)] = []
    for (link, _, stub) in left {
      let relationship = state.relationship(of: link)
      let owner = state.context.object(with: link.owner)
      guard !relationship.isToMany, owner.destination(relationship.index)?.objectID == stub,
        let former = formers.former(of: link)
      else { continue }
      replaced.append((owner, relationship.index, former))
    }
    // Links go first: a stub takes nothing along.
    for (link, _, stub) in left { unlink(link, from: state.context.object(with: stub)) }
    for (id, key) in gone { deleteStub(state.context.object(with: id), of: key) }
    state.context.processPendingChanges()
    for (owner, property, former) in replaced { restore(owner, property: property, to: former) }
    return left.map { ($0.link, $0.key, isRefused: true) }
  }

  private func unlink(_ link: WaitingLink, from stub: ManagedObject) {
    let relationship = state.relationship(of: link)
    let owner = state.context.object(with: link.owner)
    guard owner.isThereForImport, stub.isThereForImport else { return }
    if relationship.isToMany {
      owner.removeDestination(through: relationship.index, stub)
    } else if owner.destination(relationship.index) === stub {
      owner.setDestination(through: relationship.index, to: nil)
    }
  }

  /// Deletes what stands for a refused record, unless somebody else has made more of it meanwhile.
  private func deleteStub(_ stub: ManagedObject, of key: KeyRef) {
    let parts = state.plan.keys.first { $0.place == key.place }?.parts ?? []
    guard state.context.importIsBare(stub, but: PropertySet(parts.map(\.index))) else { return }
    state.report.related[stub.layout.name]?.created -= 1
    stub.delete()
  }

  private func restore(_ owner: ManagedObject, property: Int, to former: ManagedObjectID) {
    let target = state.context.object(with: former)
    guard (try? target.load()) != nil, target.isThereForImport, owner.isThereForImport else {
      return
    }
    if let inverse = owner.layout.properties[property].destination?.inverse,
      target.layout.properties[inverse].kind == .toOne, target.destination(inverse) != nil
    {
      return
    }
    owner.setDestination(through: property, to: target)
  }

  private func leaveOut(_ link: WaitingLink, to key: KeyRef, isRefused: Bool) {
    let relationship = state.relationship(of: link)
    let entity = state.plan.entities[relationship.destination]
    let name = "\(entity.entity.name).\(entity.key?.shown(key.value) ?? "")"
    let missing = entity.lacks.joined(separator: ", ")
    let why =
      isRefused
      ? "the record with \(name) was refused"
      : relationship.mapping.unknown == .stub && !missing.isEmpty
        ? "nothing has \(name), and a \(entity.entity.name) needs \(missing)"
        : "nothing has \(name)"
    state.report.note(
      ImportProblem(
        record: link.record, pointer: link.pointer,
        code: isRefused ? .importRefused : .importUnknown, reason: why, consequence: .leftOut))
  }
}

extension WaitingLink {
  /// Whether it comes first in the report.
  fileprivate func comesBefore(_ other: WaitingLink) -> Bool {
    (record, serial) < (other.record, other.serial)
  }
}

/// What relationships led to before they led to objects that go.
private struct FormerTargets {
  private let links: [LinkPlace: [(link: WaitingLink, target: ManagedObjectID)]]
  private let gone: Set<ManagedObjectID>

  init(_ links: [(WaitingLink, ManagedObjectID)], _ gone: Set<ManagedObjectID>) {
    var all: [LinkPlace: [(WaitingLink, ManagedObjectID)]] = [:]
    for (link, target) in links {
      all[link.place, default: []].append((link, target))
    }
    self.links = all
    self.gone = gone
  }

  /// The last target before a link that does not go.
  func former(of link: WaitingLink) -> ManagedObjectID? {
    guard let former = link.former, gone.contains(former) else { return link.former }
    let before = links[link.place]?
      .filter { $0.target == former && $0.link.serial < link.serial }
      .max { $0.link.serial < $1.link.serial }
    return before.flatMap { self.former(of: $0.link) }
  }
}
