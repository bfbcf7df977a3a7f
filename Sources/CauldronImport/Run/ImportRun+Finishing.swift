import CauldronGraph
import CauldronModel
import CauldronSave

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
      leaveOut(link, to: key, isRefused: isRefused)
    }
    try deleteRemoved()
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

  /// Takes away the stubs of refused records, and puts back the targets that these stubs have
  /// replaced.
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
    for (link, _, stub) in left { unlink(link, from: context.object(with: stub)) }
    for (id, key) in gone { deleteStub(context.object(with: id), of: key) }
    context.processPendingChanges()
    for (owner, property, former) in replaced { restore(owner, property: property, to: former) }
    return left.map { ($0.link, $0.key, isRefused: true) }
  }

  private func unlink(_ link: Waiting, from stub: ManagedObject) {
    let relationship = plan.entities[link.plan].relationships[link.relationship]
    let owner = context.object(with: link.owner)
    guard owner.isThereForImport, stub.isThereForImport else { return }
    if relationship.isToMany {
      owner.removeDestination(through: relationship.index, stub)
    } else if owner.destination(relationship.index) === stub {
      owner.setDestination(through: relationship.index, to: nil)
    }
  }

  /// Deletes what stands for a refused record, unless somebody else has made more of it meanwhile.
  private func deleteStub(_ stub: ManagedObject, of key: KeyRef) {
    let parts = plan.keys.first { $0.place == key.place }?.parts ?? []
    guard context.importIsBare(stub, but: PropertySet(parts.map(\.index))) else { return }
    report.related[stub.layout.name]?.created -= 1
    stub.delete()
  }

  private func restore(_ owner: ManagedObject, property: Int, to former: ManagedObjectID) {
    let target = context.object(with: former)
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

  private func leaveOut(_ link: Waiting, to key: KeyRef, isRefused: Bool) {
    let relationship = plan.entities[link.plan].relationships[link.relationship]
    let entity = plan.entities[relationship.destination]
    let name = "\(entity.entity.name).\(entity.key?.shown(key.value) ?? "")"
    let missing = entity.lacks.joined(separator: ", ")
    let why =
      isRefused
      ? "the record with \(name) was refused"
      : relationship.mapping.unknown == .stub && !missing.isEmpty
        ? "nothing has \(name), and a \(entity.entity.name) needs \(missing)"
        : "nothing has \(name)"
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

// What is not listed any more.
extension ImportRun {
  /// Deletes what was taken out of a relationship, where nothing that records say leads to it and none is
  /// about it.
  /// - Complexity: One statement for each relationship that leads to such objects, and few hundred of them.
  func deleteRemoved() throws {
    let members = members()
    try walkBack(from: members.map(\.object))
    // What one of them leads to is not one of them for that.
    let orphans = try members.filter { try !isLinked($0.object, as: $0.member) }
    for (object, member) in orphans where object.isThereForImport {
      if context.importIsDenied(object) {
        leave(object, as: member)
        continue
      }
      object.delete()
      report.deleted += 1
    }
    removed = []
  }

  private typealias Member = (object: ManagedObject, member: RemovedMember)

  /// Those that are there, once for each relationship that they were taken out of.
  private func members() -> [Member] {
    var seen: Set<LinkPlace> = []
    // When it was taken out last is what counts.
    return removed.reversed().compactMap { member in
      let owner = context.object(with: member.owner)
      let way = owner.layout.properties[member.property].destination?.inverse ?? 0
      let place = LinkPlace(owner: member.id, property: way)
      guard !own.contains(member.id), seen.insert(place).inserted else { return nil }
      let object = context.object(with: member.id)
      guard (try? object.load()) != nil, object.isThereForImport else { return nil }
      return (object, member)
    }.reversed()
  }

  private func walkBack(from objects: [ManagedObject]) throws {
    for (_, family) in Dictionary(grouping: objects, by: \.layout.number) {
      for property in family[0].layout.properties where property.kind == .toMany {
        let asked = family.filter { mayBeLinked($0, by: property.index) }
        if !asked.isEmpty { try context.importWalk(asked, through: property) }
      }
    }
  }

  private func mayBeLinked(_ object: ManagedObject, by way: Int) -> Bool {
    linked[LinkPlace(owner: object.objectID, property: way)] != nil
  }

  /// Whether the relationship leads to an object by another owner, or a record has led to it by another
  /// relationship, and does still.
  private func isLinked(_ object: ManagedObject, as member: RemovedMember) throws -> Bool {
    let owner = context.object(with: member.owner)
    let own = owner.layout.properties[member.property].destination?.inverse
    return try object.layout.properties.contains { property in
      guard property.index == own || mayBeLinked(object, by: property.index) else { return false }
      if property.kind == .toMany { return try !object.readDestinationIDs(property.index).isEmpty }
      guard let target = object.destination(property.index) else { return false }
      guard member.isKept, property.index == own, target === owner else { return true }
      // It leads there still; the owner may have listed it again.
      let place = LinkPlace(owner: object.objectID, property: property.index)
      return linked[place].map { $0 > member.serial } ?? false
    }
  }

  private func leave(_ object: ManagedObject, as member: RemovedMember) {
    let name = context.object(with: member.owner).layout.properties[member.property].name
    report.note(
      member.record.place.problem(
        .validationDenied,
        "\(object.layout.name) \(object.objectID) is no \(name) any more and stays, because a"
          + " relationship of it denies that it is deleted", .leftOut))
  }
}

// Objects that had to wait for a link before they could be validated.
extension ImportRun {
  /// Whether all imported objects can be saved: one that still lacks a required link holds this up.
  package func mayCommit() throws -> Bool {
    followExchanges()
    try late = late.filter { _, object in
      let object = context.object(with: object.id)
      return try object.isThereForImport && context.importProblem(of: [object]) != nil
    }
    return late.isEmpty
  }

  /// Refuses objects that are not whole at the end, and those that cannot be without them.
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
        let others = try dependents(of: live, object)
        refuse(live, as: object, because: problem)
        next += others
      }
      context.processPendingChanges()
      open = next
    }
  }

  /// The objects that must lead to an object.
  private func dependents(
    of object: ManagedObject, _ late: LateObject
  ) throws -> [LateObject] {
    var all: [LateObject] = []
    for property in object.layout.properties {
      guard let destination = property.destination else { continue }
      let inverse = destination.entity.properties[destination.inverse]
      guard inverse.kind == .toOne, inverse.isRequired else { continue }
      let others =
        property.kind == .toMany
        ? try object.readDestinations(property.index)
        : object.destination(property.index).map { [$0] } ?? []
      for other in others where other.isThereForImport {
        all.append(
          LateObject(
            id: other.objectID, record: late.record, path: late.path, isOwn: false,
            isNew: other.isInserted))
      }
    }
    return all
  }

  private func refuse(_ live: ManagedObject, as object: LateObject, because problem: CauldronError)
  {
    refusedLate.insert(live.objectID)
    if live.isInserted { live.delete() } else { context.refresh(live, mergeChanges: false) }
    if object.isOwn {
      report.refused += 1
      if object.isNew { report.created -= 1 } else { report.updated = max(0, report.updated - 1) }
    } else if object.isNew {
      report.related[live.layout.name]?.created -= 1
    }
    report.note(
      object.record.place.problem(
        at: object.path, problem.code, problem.message.trimmed, object.isOwn ? .refused : .leftOut))
  }
}

// What relationships led to before.
extension ImportRun {
  func remove(
    _ member: ManagedObject, from object: ManagedObject, through relationship: RelationshipPlan
  ) {
    let deletes = relationship.mapping.members == .replaceAndDelete
    // What must lead to an owner leads to this one as long as it is there.
    let isKept = deletes && relationship.inverseIsRequired
    if !isKept { object.removeDestination(through: relationship.index, member) }
    if deletes { noteRemoved(member, from: object, through: relationship, isKept: isKept) }
  }

  private func noteRemoved(
    _ member: ManagedObject, from object: ManagedObject, through relationship: RelationshipPlan,
    isKept: Bool
  ) {
    serial += 1
    unit.removed.append(
      RemovedMember(
        id: member.objectID, owner: object.objectID, property: relationship.index, isKept: isKept,
        serial: serial, record: unit.record))
  }

  /// Another object stands where a to-one relationship led to one.
  func replaced(
    _ former: ManagedObject, of object: ManagedObject, through relationship: RelationshipPlan
  ) {
    guard relationship.mapping.members == .replaceAndDelete else { return }
    // What must lead back cannot wait for the end of the import; without a key no record can link it.
    if relationship.inverseIsRequired, let inverse = relationship.inverse,
      former.destination(inverse.index) == nil, !context.importIsDenied(former)
    {
      former.delete()
      unit.deleted += 1
    } else {
      noteRemoved(former, from: object, through: relationship, isKept: false)
    }
  }

  /// Has a relationship lead nowhere.
  /// - Returns: Whether anything was changed.
  func clear(_ relationship: RelationshipPlan, of object: ManagedObject) throws -> Bool {
    guard relationship.isToMany else {
      guard let former = object.destination(relationship.index) else { return false }
      object.setDestination(through: relationship.index, to: nil)
      replaced(former, of: object, through: relationship)
      return true
    }
    let members = try object.readDestinations(relationship.index)
    for member in members { remove(member, from: object, through: relationship) }
    return !members.isEmpty
  }
}
