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

extension ImportRun {
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
    if lapses { lapse(object, property: relationship.index) }
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
    if lapses, link.isNesting(in: chunk) { lapse(object, property: relationship.index) }
    list?.since = serial
    if link.children == nil { return try clear(relationship, of: object) }
    if relationship.isToMany {
      noteLinked(targets, through: relationship)
      let isChanged = try setMembers(targets, of: object, through: relationship, in: entity)
      return isChanged || list?.hasGrown == true
    }
    guard let target else { return false }
    noteLinked([target], through: relationship)
    lapseInverse(of: target, in: entity, through: relationship)
    let former = object.destination(relationship.index)
    if former === target { return false }
    object.setDestination(through: relationship.index, to: target)
    if let former { replaced(former, of: object, through: relationship) }
    return true
  }

  /// Notes what a record leads to, so that it is not deleted because another way to it has gone.
  func noteLinked(_ targets: [ManagedObject], through relationship: RelationshipPlan) {
    guard plan.deletes, let way = relationship.inverse?.index else { return }
    serial += 1
    for target in targets {
      unit.linked[LinkPlace(owner: target.objectID, property: way)] = serial
    }
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
    return list.ids.compactMap { $0.map(context.object(with:)) }
  }

  private func target(
    at child: Int, of origin: LinkOrigin, into list: inout LinkList?
  ) throws -> ManagedObject? {
    func waiting() -> Waiting {
      let known = list ?? LinkList()
      list = known
      return waitingLink(at: child, of: origin, in: known)
    }
    do {
      return try target(
        chunk.children[child], through: origin.relationship, waiting: waiting())
    } catch let refusal as Refusal where !refusal.isPlaced {
      throw refusal.under(origin.link.path(of: child))
    }
  }

  /// What waits for a child to come.
  private func waitingLink(at child: Int, of origin: LinkOrigin, in list: LinkList) -> Waiting {
    let (link, object, relationship) = (origin.link, origin.object, origin.relationship)
    serial += 1
    let record = unit.record
    let path = origin.draft.path + link.path(of: child)
    return Waiting(
      owner: object.objectID, plan: origin.draft.plan, relationship: link.relationship,
      property: relationship.index, record: record.number,
      pointer: record.place.pointer(to: path),
      serial: serial, list: list, position: child - (link.children?.lowerBound ?? 0),
      former: relationship.isToMany ? nil : object.destination(relationship.index)?.objectID)
  }

  /// The object that a child is; nil where it is not there, or not there yet.
  private func target(
    _ child: ChildDraft, through relationship: RelationshipPlan,
    waiting: @autoclosure () -> Waiting
  ) throws -> ManagedObject? {
    let slot: Int
    switch child {
    case .object(let index): return try self.object(index)
    case .key(let place): slot = place
    }
    let entity = plan.entities[relationship.destination]
    guard let key = entity.key else { return nil }
    if let known = try target(at: slot, in: entity) {
      if stubs[known.objectID] != nil { linkStub(known.objectID, by: waiting()) }
      return known
    }
    if plan.movesKeys {
      try checkMayCome(chunk.keys[slot], by: key, to: entity, through: relationship)
    }
    // As it is before anything is made, where that may go again.
    let link = mayBeRefused(entity) ? waiting() : nil
    guard relationship.mapping.unknown == .stub, relationship.mapping.members != .linkOnly,
      let stub = try stub(slot, in: entity, by: key, sparing: relationship.requiredInverse)
    else {
      wait(for: chunk.keys[slot], link ?? waiting())
      return nil
    }
    unit.related[relationship.destination, default: (0, 0)].created += 1
    if let link, stubs[stub.objectID] != nil { linkStub(stub.objectID, by: link) }
    return stub
  }

  /// Whether a record of its own may come for an object, and be refused.
  func mayBeRefused(_ entity: EntityPlan) -> Bool {
    entity.family.rootNumber == plan.entities[0].family.rootNumber
  }
}

// Members.
extension ImportRun {
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
        && !unit.spared.contains(ObjectIdentifier(member))
      {
        remove(member, from: object, through: relationship)
        isChanged = true
      }
    }
    for target in targets {
      lapseInverse(of: target, in: entity, through: relationship)
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

// Links to objects that are nothing but a key, or are not there yet.
extension ImportRun {
  func wait(for key: KeyRef, _ link: Waiting) {
    waiting[key, default: []].append(link)
    open.insert(link.place)
    unit.waits.insert(link.owner)
    note(.waits(key))
  }

  func linkStub(_ stub: ManagedObjectID, by link: Waiting) {
    stubLinks[stub, default: []].append(link)
    open.insert(link.place)
    note(.linksStub(stub))
  }

  /// A relationship says something else from now on.
  func lapse(_ owner: ManagedObject, property: Int) {
    if open.isEmpty { return }
    let place = LinkPlace(owner: owner.objectID, property: property)
    guard open.contains(place) else { return }
    serial += 1
    note(.lapsed(place, lapsed.updateValue(serial, forKey: place)))
  }

  /// The same for the way back, where that leads to one object.
  func lapseInverse(
    of target: ManagedObject, in entity: EntityPlan, through relationship: RelationshipPlan
  ) {
    if open.isEmpty { return }
    guard let inverse = entity.entity.properties[relationship.index].destination?.inverse,
      target.layout.properties[inverse].kind == .toOne
    else { return }
    lapse(target, property: inverse)
  }

  /// Whether something later was said of the relationship.
  func isLapsed(_ link: Waiting) -> Bool {
    lapsed[link.place].map { $0 > link.list.since } ?? false
  }

  /// An object has a key of the chunk now: what has waited for that leads to it.
  func give(_ object: ManagedObject, slot: Int, of key: KeyPlan) {
    let ref = chunk.keys[slot]
    give(object, key: ref, slot: slot)
    for side in key.sideKeys(of: ref.value) { give(object, key: side) }
  }

  /// Notes the new values of an object by which plans of other entities find it.
  /// - Parameter former: What it had before; nil for a new object.
  func giveSideKeys(_ object: ManagedObject, in entity: EntityPlan, former: [KeyValue]?) {
    for (position, key) in entity.sideKeys.enumerated() {
      let value = key.value(of: object)
      if value.isNull || value == former?[position] { continue }
      give(object, key: KeyRef(key, value))
    }
  }

  /// An object has a key now.
  func give(_ object: ManagedObject, key: KeyRef) {
    give(object, key: key, slot: chunk.keys.known(key))
  }

  private func give(_ object: ManagedObject, key: KeyRef, slot: Int?) {
    keyed[key, default: KeyHolders()].append(object)
    if let slot { slots[slot].keyed.append(object) }
    note(.keyed(key, slot: slot))
    guard !waiting.isEmpty, let links = waiting[key] else { return }
    var left: [Waiting] = []
    for link in links where !isLapsed(link) {
      let relationship = plan.entities[link.plan].relationships[link.relationship]
      let family = plan.entities[relationship.destination].family
      guard object.layout.isKind(of: family) else {
        left.append(link)
        continue
      }
      make(link, through: relationship, to: object)
    }
    waiting[key] = left.isEmpty ? nil : left
    note(.hasArrived(key, links))
  }

  /// An object has the key no more that it was given last.
  func takeBack(_ key: KeyRef, slot: Int?) {
    keyed[key]?.removeLast()
    if let slot { slots[slot].keyed.removeLast() }
  }

  private func make(
    _ link: Waiting, through relationship: RelationshipPlan, to target: ManagedObject
  ) {
    let owner = context.object(with: link.owner)
    // It may have been deleted since, as another object stands where it was.
    guard (try? owner.load()) != nil, owner.isThereForImport else { return }
    var link = link
    if relationship.isToMany {
      owner.insertDestination(through: relationship.index, target)
    } else {
      let former = owner.destination(relationship.index)
      link.former = former?.objectID
      owner.setDestination(through: relationship.index, to: target)
      if let former, former !== target { replaced(former, of: owner, through: relationship) }
    }
    noteLinked([target], through: relationship)
    link.list.set(link.position, to: target.objectID)
    link.list.hasGrown = true
    if relationship.isOrdered {
      place(target.objectID, by: link, of: owner, through: relationship)
    }
    if stubs[target.objectID] != nil { linkStub(target.objectID, by: link) }
  }

  /// A member that comes late takes its place behind the nearest one before it in the list, or else before
  /// the nearest behind it.
  private func place(
    _ id: ManagedObjectID, by link: Waiting, of owner: ManagedObject,
    through relationship: RelationshipPlan
  ) {
    let before = link.list.ids[..<link.position].reversed().lazy.compactMap(\.self)
    let all = owner.destinationIDs(relationship.index)
    // Mostly members come in the order of the list: then it stands right as it is, behind the last one.
    if all.last == id, all.count > 1, all[all.count - 2] == before.first { return }
    let members = all.filter { $0 != id }
    let behind = link.list.ids[(link.position + 1)...].lazy.compactMap(\.self)
    let position =
      before.compactMap(members.firstIndex).first.map { $0 + 1 }
      ?? behind.compactMap(members.firstIndex).first ?? members.count
    owner.place(through: relationship.index, [id], at: position)
  }
}
