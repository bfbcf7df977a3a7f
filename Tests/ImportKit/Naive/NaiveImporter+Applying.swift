import CauldronImport
import CauldronModel

extension NaiveImporter {
  /// Does what a record says.
  /// - Returns: Its object; nil where something is wrong with it, which is noted.
  mutating func apply(_ draft: NaiveDraft, isOwn: Bool = false) -> Int? {
    let known = resolved(draft.plan, draft.key)
    guard known.count < 2 else { return wrong(draft.pointer, .importAmbiguous) }
    if let id = known.first {
      guard isKind(id, draft.plan.entity) else { return wrong(draft.pointer, .importAmbiguous) }
      stubs[id] = nil
      links.removeAll { $0.stub == id }
      let isChanged = fill(id, draft)
      tally(draft, isOwn, created: false, isChanged: isChanged)
      return id
    }
    let id = world.insert(draft.plan.entity)
    if let key = draft.plan.key {
      for (name, value) in zip(key, draft.key) { world.set(id, name, value) }
      arrived(id, together: key.count > 1)
      // Each part may be a key elsewhere.
      if key.count > 1 { arrived(id, together: false) }
    }
    _ = fill(id, draft)
    for attribute in world.shape.attributes(draft.plan.entity)
    where attribute.isRequired && world.value(id, attribute.name) == .null {
      _ = wrong(draft.pointer, .validationMissing)
    }
    tally(draft, isOwn, created: true, isChanged: true)
    return id
  }

  private mutating func tally(
    _ draft: NaiveDraft, _ isOwn: Bool, created: Bool, isChanged: Bool
  ) {
    if isOwn {
      if created {
        report.created += 1
      } else if isChanged {
        report.updated += 1
      } else {
        report.unchanged += 1
      }
    } else if created || isChanged {
      report.related[draft.plan.entity, default: [0, 0]][created ? 0 : 1] += 1
    }
  }

  private mutating func wrong(_ pointer: String, _ code: CauldronError.Code) -> Int? {
    wrongs.insert(Wrong(pointer: pointer, code: code))
    return nil
  }

  func isKind(_ id: Int, _ entity: String) -> Bool {
    world.objects[id].map { world.shape.isKind($0.entity, of: entity) } ?? false
  }

  /// The objects with a key. A unique one is looked for among all that can have it.
  func resolved(_ plan: NaivePlan, _ values: [AttributeScalar]) -> [Int] {
    guard let key = plan.key, values.count == key.count else { return [] }
    let family = rules.isUnique(plan) ? world.shape.root(plan.entity) : plan.family
    return world.ids.filter { id in
      isKind(id, family) && key.map { world.value(id, $0) } == values
    }
  }

  private mutating func fill(_ id: Int, _ draft: NaiveDraft) -> Bool {
    var isChanged = false
    for value in draft.values {
      if value.scalar == .null, value.attribute.isRequired {
        _ = wrong(value.pointer, .validationMissing)
      } else if world.value(id, value.attribute.name) != value.scalar {
        if isTaken(value, id) { _ = wrong(value.pointer, .saveConstraint) }
        world.set(id, value.attribute.name, value.scalar)
        arrived(id, together: false)
        isChanged = true
      }
    }
    arrived(id, together: true)
    for link in draft.links where self.link(link, id, draft) { isChanged = true }
    return isChanged
  }

  /// Whether another object has a value that is unique.
  private func isTaken(_ value: NaiveDraft.Value, _ id: Int) -> Bool {
    guard value.scalar != .null, let entity = world.objects[id]?.entity,
      world.shape.isUnique(value.attribute.name, entity)
    else { return false }
    let root = world.shape.root(entity)
    return world.ids.contains {
      $0 != id && isKind($0, root) && world.value($0, value.attribute.name) == value.scalar
    }
  }
}

// Relationships.
extension NaiveImporter {
  private mutating func link(_ link: NaiveDraft.Link, _ id: Int, _ draft: NaiveDraft) -> Bool {
    let relationship = link.relationship
    let mapping = rules.mapping(relationship, draft.plan.entity)
    let replaces = mapping.members == .replace || mapping.members == .replaceAndDelete
    let lapses = !relationship.isToMany || link.children == nil || replaces
    guard let children = link.children else {
      lapse(id, relationship.name)
      return take(world.targets(id, relationship), outOf: id, relationship, mapping)
    }
    if lapses { lapse(id, relationship.name) }
    let list = lists.count
    lists.append(children.map { _ in nil })
    for (position, child) in children.enumerated() {
      let target: Int?
      switch child {
      case .draft(let draft): target = apply(draft)
      case .key(let value, let pointer):
        let plan = rules.plan(relationship, of: draft.plan.entity)
        serial += 1
        target = self.target(
          PendingLink(
            plan: plan, name: name(plan, value), owner: id, relationship: relationship,
            record: record, pointer: pointer, serial: serial, list: list, position: position),
          value, mapping)
      }
      lists[list][position] = target
    }
    if lapses { lapse(id, relationship.name) }
    read[list] = serial
    let targets = lists[list].compactMap(\.self)
    for target in targets {
      linked.insert(LinkPlace(owner: target, relationship: relationship.inverse))
    }
    if !relationship.isToMany { return lead(id, relationship, targets.first) }
    var isChanged = false
    if replaces {
      let others = world.targets(id, relationship).filter { !targets.contains($0) }
      isChanged = take(others, outOf: id, relationship, mapping)
    }
    return add(targets, to: id, relationship) || isChanged || grown.contains(list)
  }

  private mutating func lead(
    _ id: Int, _ relationship: Shape.Relationship, _ target: Int?
  ) -> Bool {
    guard let target else { return false }
    if !relationship.isInverseToMany { lapse(target, relationship.inverse) }
    if world.targets(id, relationship) == [target] { return false }
    world.link(id, relationship, target)
    return true
  }

  private mutating func take(
    _ members: [Int], outOf id: Int, _ relationship: Shape.Relationship,
    _ mapping: RelationshipImport
  ) -> Bool {
    for member in members {
      world.unlink(id, relationship, member)
      if mapping.members == .replaceAndDelete {
        removed.append(Removed(id: member, inverse: relationship.inverse))
      }
    }
    return !members.isEmpty
  }

  private mutating func add(
    _ targets: [Int], to id: Int, _ relationship: Shape.Relationship
  ) -> Bool {
    var isChanged = false
    var listed: [Int] = []
    for target in targets where !listed.contains(target) {
      listed.append(target)
      if !relationship.isInverseToMany { lapse(target, relationship.inverse) }
      if world.targets(id, relationship).contains(target) { continue }
      world.link(id, relationship, target)
      isChanged = true
    }
    let now = world.targets(id, relationship)
    if relationship.isOrdered, now.filter(listed.contains) != listed {
      world.arrange(id, relationship, now.filter { !listed.contains($0) } + listed)
      isChanged = true
    }
    return isChanged
  }

  /// What a key leads to; nil where it waits, or is wrong.
  private mutating func target(
    _ link: PendingLink, _ value: [AttributeScalar], _ mapping: RelationshipImport
  ) -> Int? {
    var link = link
    if !link.relationship.isToMany {
      link.former = world.targets(link.owner, link.relationship).first
    }
    let known = resolved(link.plan, value)
    guard known.count < 2 else { return wrong(link.pointer, .importAmbiguous) }
    if let id = known.first {
      guard isKind(id, link.plan.family) else { return wrong(link.pointer, .importAmbiguous) }
      if stubs[id] != nil {
        link.stub = id
        links.append(link)
      }
      return id
    }
    if mapping.unknown == .refuse, !isAnnounced(link.name) {
      return wrong(link.pointer, .importUnknown)
    }
    guard mapping.unknown == .stub, mapping.members != .linkOnly, rules.misses(link.plan).isEmpty
    else {
      links.append(link)
      return nil
    }
    let id = stub(link.plan, value)
    if stubs[id] != nil {
      link.stub = id
      links.append(link)
    }
    return id
  }
}
