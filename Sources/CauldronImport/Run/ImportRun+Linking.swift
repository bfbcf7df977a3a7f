import CauldronGraph
import CauldronModel

extension ImportRun {
  /// - Returns: Whether anything was changed.
  func link(
    _ link: LinkDraft, of object: ManagedObject, _ draft: ObjectDraft, _ entity: EntityPlan
  ) throws -> Bool {
    let relationship = entity.relationships[link.relationship]
    if relationship.isImported, let source = link.source {
      let value = ImportValue(source: source, scalar: .null)
      let isDone = try asked("import of \(relationship.name)", object) {
        try object._importProperty(relationship.name, value)
      }
      if isDone { return true }
    }
    guard let children = link.children else { return clear(relationship, of: object) }
    var targets: [ManagedObject] = []
    for child in children {
      let position = children.count > 1 ? child - children.lowerBound : nil
      if let target = try target(
        child, of: object, draft, link, path(draft, relationship, position))
      {
        targets.append(target)
      }
    }
    if relationship.isToMany { return setMembers(targets, of: object, relationship, entity) }
    guard let target = targets.first, object.destination(relationship.index) !== target else {
      return false
    }
    object.setDestination(relationship.index, target)
    return true
  }

  private func path(
    _ draft: ObjectDraft, _ relationship: RelationshipPlan, _ position: Int?
  ) -> String {
    let name = relationship.paths.first?.text ?? relationship.name
    let own = position.map { "\(name).\($0)" } ?? name
    return draft.path.isEmpty ? own : "\(draft.path).\(own)"
  }

  private func clear(_ relationship: RelationshipPlan, of object: ManagedObject) -> Bool {
    guard relationship.isToMany else {
      if object.destination(relationship.index) == nil { return false }
      object.setDestination(relationship.index, nil)
      return true
    }
    let members = object.destinations(relationship.index)
    for member in members { remove(member, from: object, relationship) }
    return !members.isEmpty
  }

  /// The object that a child is; nil where it is not there, or not there yet.
  private func target(
    _ child: Int, of object: ManagedObject, _ draft: ObjectDraft, _ link: LinkDraft,
    _ path: @autoclosure () -> String
  ) throws -> ManagedObject? {
    if case .object(let index) = chunk.children[child] { return try self.object(index) }
    let slot = childSlots[child]
    let relationship = plan.entities[draft.plan].relationships[link.relationship]
    let entity = plan.entities[relationship.destination]
    guard let key = entity.key, slot >= 0 else { return nil }
    func waiting() -> Waiting {
      Waiting(
        owner: object.objectID, plan: draft.plan, relationship: link.relationship,
        record: unit.record.number, path: path())
    }
    if let known = try resolved(slot, entity) {
      if slots[slot].isStub { unit.stubLinks.append((slots[slot].ref, waiting())) }
      return known
    }
    guard relationship.mapping.unknown == .stub, relationship.mapping.members != .linkOnly,
      entity.stubMisses.isEmpty
    else {
      unit.waiting.append((slots[slot].ref, waiting()))
      return nil
    }
    let stub = try create(slot, entity, key)
    unit.related[relationship.destination, default: (0, 0)].created += 1
    if entity.mayBeRecord {
      slots[slot].isStub = true
      unit.stubLinks.append((slots[slot].ref, waiting()))
    }
    return stub
  }
}

// Members.
extension ImportRun {
  private func setMembers(
    _ targets: [ManagedObject], of object: ManagedObject, _ relationship: RelationshipPlan,
    _ entity: EntityPlan
  ) -> Bool {
    var isChanged = false
    let policy = relationship.mapping.members
    if policy == .replace || policy == .replaceAndDelete {
      let wanted = Set(targets.map(ObjectIdentifier.init))
      for member in object.destinations(relationship.index)
      where !wanted.contains(ObjectIdentifier(member)) {
        remove(member, from: object, relationship)
        isChanged = true
      }
    }
    for target in targets where !object.hasDestination(relationship.index, target) {
      object.insertDestination(relationship.index, target)
      isChanged = true
    }
    if relationship.isOrdered, arrange(targets, of: object, relationship) { isChanged = true }
    return isChanged
  }

  /// Keeps the file's order; who is not listed stays in front.
  private func arrange(
    _ targets: [ManagedObject], of object: ManagedObject, _ relationship: RelationshipPlan
  ) -> Bool {
    var seen: Set<ManagedObjectID> = []
    let listed = targets.map(\.objectID).filter { seen.insert($0).inserted }
    let now = object.destinationIDs(relationship.index)
    if now.filter(seen.contains) == listed { return false }
    object.arrange(relationship.index, now.filter { !seen.contains($0) } + listed)
    return true
  }

  private func remove(
    _ member: ManagedObject, from object: ManagedObject, _ relationship: RelationshipPlan
  ) {
    object.removeDestination(relationship.index, member)
    guard relationship.mapping.members == .replaceAndDelete,
      let inverse = object.layout.properties[relationship.index].destination?.inverse
    else { return }
    unit.removed.append(.init(id: member.objectID, inverse: inverse))
  }

  /// Makes the links that have waited for an object.
  func linkWaiting(_ key: KeyRef) {
    guard let links = waiting.removeValue(forKey: key), let target = created[key] else { return }
    for link in links {
      let relationship = plan.entities[link.plan].relationships[link.relationship]
      let owner = context.object(with: link.owner)
      guard owner.isThereForImport else { continue }
      if relationship.isToMany {
        owner.insertDestination(relationship.index, target)
      } else {
        owner.setDestination(relationship.index, target)
      }
    }
  }
}
