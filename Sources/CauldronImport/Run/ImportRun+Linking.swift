import CauldronGraph
import CauldronModel

extension ImportRun {
  /// - Returns: Whether anything was changed.
  func link(
    _ link: LinkDraft, of object: ManagedObject, _ draft: ObjectDraft, _ entity: EntityPlan
  ) throws -> Bool {
    let relationship = entity.relationships[link.relationship]
    if entity.imported.contains(relationship.name), let source = link.source {
      let value = ImportValue(source: source, scalar: .null)
      let isDone = try asked("import of \(relationship.name)", object) {
        try object._importProperty(relationship.name, value)
      }
      if isDone { return true }
    }
    guard let children = link.children else { return clear(relationship, of: object) }
    var targets: [ManagedObject] = []
    for (position, child) in children.enumerated() {
      let path = self.path(draft, relationship, children.count > 1 ? position : nil)
      if let target = try target(chunk.children[child], of: object, draft, link, path) {
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
    _ child: ChildDraft, of object: ManagedObject, _ draft: ObjectDraft, _ link: LinkDraft,
    _ path: @autoclosure () -> String
  ) throws -> ManagedObject? {
    let value: AttributeScalar
    switch child {
    case .object(let index): return try self.object(index)
    case .key(let key): value = key
    }
    let relationship = plan.entities[draft.plan].relationships[link.relationship]
    let entity = plan.entities[relationship.destination]
    guard let key = entity.key else { return nil }
    let ref = KeyRef(key, of: entity, value)
    func waiting() -> Waiting {
      Waiting(
        owner: object.objectID, plan: draft.plan, relationship: link.relationship,
        record: unit.record.number, path: path())
    }
    if let known = try resolved(value, entity, key) {
      if stubs[ref] != nil || unit.stubs[ref] != nil, mayBeRefused(entity) {
        unit.stubLinks.append((ref, waiting()))
      }
      return known
    }
    guard relationship.mapping.unknown == .stub, relationship.mapping.members != .linkOnly,
      entity.stubMisses.isEmpty
    else {
      unit.waiting.append((ref, waiting()))
      return nil
    }
    let stub = try create(value, entity, key)
    unit.related[relationship.destination, default: (0, 0)].created += 1
    if mayBeRefused(entity) {
      unit.stubs[ref] = stub.objectID
      unit.stubLinks.append((ref, waiting()))
    }
    return stub
  }

  /// Whether a record of its own may come for an object, and be refused.
  private func mayBeRefused(_ entity: EntityPlan) -> Bool {
    entity.family.rootNumber == plan.entities[0].family.rootNumber
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
