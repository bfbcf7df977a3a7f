import CauldronGraph
import CauldronModel

/// A link of a record, and the object of the record from which it leads.
private struct LinkOrigin {
  let link: LinkDraft
  let object: ManagedObject
  /// That of the object.
  let draft: ObjectDraft
  let relationship: RelationshipPlan
}

// The links of a record, which may lead to records that are nested in it.
extension RecordImport {
  /// - Returns: Whether anything was changed.
  func link(
    _ link: LinkDraft, of object: ManagedObject, from draft: ObjectDraft, in entity: EntityPlan
  ) throws -> Bool {
    let relationship = entity.relationships[link.relationship]
    if relationship.isImported, let source = link.source {
      let value = ImportValue(source: source, scalar: .null)
      let before = ends(of: object, relationship)
      let isDone = try asked("import of \(relationship.name)", of: object) {
        try object._importProperty(relationship.name, value)
      }
      if isDone { return ends(of: object, relationship) != before }
    }
    let replaces =
      relationship.mapping.members == .replace
      || relationship.mapping.members == .replaceAndDelete
    let lapses = !relationship.isToMany || link.children == nil || replaces
    if lapses { waiting.lapse(object, property: relationship.index) }
    var list: LinkList?
    var targets: [ManagedObject] = []
    var target: ManagedObject?
    let origin = LinkOrigin(link: link, object: object, draft: draft, relationship: relationship)
    if relationship.isToMany, let children = link.children {
      targets = try self.targets(at: children, of: origin, into: &list)
    } else if let child = link.children?.first {
      target = try self.target(at: child, of: origin, into: &list)
      list?.take([target?.objectID])
    }
    // What is nested in it has been said before it.
    if lapses, link.isNesting(in: state.chunk) {
      waiting.lapse(object, property: relationship.index)
    }
    list?.since = state.serial
    if link.children == nil { return try deleting.clear(relationship, of: object) }
    if relationship.isToMany {
      deleting.noteLinked(targets, through: relationship)
      let isChanged = try setMembers(targets, of: object, through: relationship, in: entity)
      return isChanged || list?.hasGrown == true
    }
    guard let target else { return false }
    deleting.noteLinked([target], through: relationship)
    waiting.lapseInverse(of: target, in: entity, through: relationship)
    let former = object.destination(relationship.index)
    if former === target { return false }
    object.setDestination(through: relationship.index, to: target)
    if let former { deleting.replaced(former, of: object, through: relationship) }
    return true
  }

  private func ends(
    of object: ManagedObject, _ relationship: RelationshipPlan
  ) -> [ManagedObjectID] {
    if relationship.isToMany { return object.destinationIDs(relationship.index) }
    return object.destination(relationship.index).map { [$0.objectID] } ?? []
  }

  /// The objects that a link leads to, as far as they are there.
  /// - Parameter list: All targets of the link, where some are not there, or may go again.
  private func targets(
    at children: Range<Int>, of origin: LinkOrigin, into list: inout LinkList?
  ) throws -> [ManagedObject] {
    var targets: [ManagedObject?] = []
    for child in children {
      targets.append(try target(at: child, of: origin, into: &list))
      // A target that waits in it may come with a record nested behind, and has its place among all
      // known targets.
      guard let list else { continue }
      for position in list.ids.count..<max(list.ids.count, targets.count) {
        list.set(position, to: targets[position]?.objectID)
      }
    }
    guard let list else { return targets.compactMap(\.self) }
    // What one of the records in it has created was there in time.
    list.take(targets.map { $0?.objectID })
    return list.ids.compactMap { $0.map(state.context.object(with:)) }
  }

  private func target(
    at child: Int, of origin: LinkOrigin, into list: inout LinkList?
  ) throws -> ManagedObject? {
    func link() -> WaitingLink {
      let known = list ?? LinkList()
      list = known
      return waitingLink(at: child, of: origin, in: known)
    }
    do {
      return try target(
        state.chunk.children[child], through: origin.relationship, by: link())
    } catch let refusal as Refusal where !refusal.isPlaced {
      throw refusal.under(origin.link.path(of: child))
    }
  }

  /// What waits for a child to come.
  private func waitingLink(at child: Int, of origin: LinkOrigin, in list: LinkList) -> WaitingLink {
    let (link, object, relationship) = (origin.link, origin.object, origin.relationship)
    let record = state.record
    let path = origin.draft.path + link.path(of: child)
    return WaitingLink(
      owner: object.objectID, plan: origin.draft.plan, relationship: link.relationship,
      property: relationship.index, record: record.number,
      pointer: record.place.pointer(to: path),
      serial: state.nextSerial(), list: list, position: child - (link.children?.lowerBound ?? 0),
      former: relationship.isToMany ? nil : object.destination(relationship.index)?.objectID)
  }

  /// The object that a child is; nil where it is not there, or not there yet.
  private func target(
    _ child: ChildDraft, through relationship: RelationshipPlan,
    by link: @autoclosure () -> WaitingLink
  ) throws -> ManagedObject? {
    let slot: Int
    switch child {
    case .object(let index): return try self.object(index)
    case .key(let place): slot = place
    }
    let entity = state.plan.entities[relationship.destination]
    guard let key = entity.key else { return nil }
    if let known = try keys.target(at: slot, in: entity) {
      if waiting.isStub(known) { waiting.linkStub(known.objectID, by: link()) }
      return known
    }
    if state.plan.movesKeys {
      try checking.checkMayCome(state.chunk.keys[slot], by: key, to: entity, through: relationship)
    }
    // As it is before anything is made, where that may go again.
    let early = state.plan.mayBeRefused(entity) ? link() : nil
    guard relationship.mapping.unknown == .stub, relationship.mapping.members != .linkOnly,
      let stub = try stub(slot, in: entity, by: key, sparing: relationship.requiredInverse)
    else {
      waiting.wait(for: state.chunk.keys[slot], early ?? link())
      return nil
    }
    outcome.note(.created, of: relationship.destination, isOwn: false)
    if let early, waiting.isStub(stub) { waiting.linkStub(stub.objectID, by: early) }
    return stub
  }

  /// Has a to-many relationship lead to what a record lists.
  /// - Returns: Whether anything was changed.
  private func setMembers(
    _ targets: [ManagedObject], of object: ManagedObject, through relationship: RelationshipPlan,
    in entity: EntityPlan
  ) throws -> Bool {
    var isChanged = false
    let policy = relationship.mapping.members
    if policy == .replace || policy == .replaceAndDelete {
      let wanted = Set(targets.map(ObjectIdentifier.init))
      for member in try object.readDestinations(relationship.index)
      where !wanted.contains(ObjectIdentifier(member))
        && !spared.contains(ObjectIdentifier(member))
      {
        deleting.remove(member, from: object, through: relationship)
        isChanged = true
      }
    }
    for target in targets {
      waiting.lapseInverse(of: target, in: entity, through: relationship)
      if object.hasDestination(through: relationship.index, target) { continue }
      object.insertDestination(through: relationship.index, target)
      isChanged = true
    }
    if relationship.isOrdered, arrange(targets, of: object, through: relationship) {
      isChanged = true
    }
    return isChanged
  }

  /// Keeps the file's order; who is not listed stays in front.
  private func arrange(
    _ targets: [ManagedObject], of object: ManagedObject, through relationship: RelationshipPlan
  ) -> Bool {
    var seen: Set<ManagedObjectID> = []
    let listed = targets.map(\.objectID).filter { seen.insert($0).inserted }
    let now = object.destinationIDs(relationship.index)
    if now.filter(seen.contains) == listed { return false }
    object.arrange(through: relationship.index, in: now.filter { !seen.contains($0) } + listed)
    return true
  }
}
