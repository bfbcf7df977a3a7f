import CauldronGraph
import CauldronModel

// Links to objects that are nothing but a key, or are not there yet.
extension ImportRun {
  func wait(for key: KeyRef, _ link: Waiting) {
    waiting[key, default: []].append(link)
    open.insert(link.place)
    unit.waits.insert(link.owner)
    note(.waits(key))
  }

  func linkStub(_ stub: ManagedObjectID, _ link: Waiting) {
    stubLinks[stub, default: []].append(link)
    open.insert(link.place)
    note(.linksStub(stub))
  }

  /// A relationship says something else from now on.
  func lapse(_ owner: ManagedObject, _ property: Int) {
    if open.isEmpty { return }
    let place = LinkPlace(owner: owner.objectID, property: property)
    guard open.contains(place) else { return }
    serial += 1
    note(.lapsed(place, lapsed.updateValue(serial, forKey: place)))
  }

  /// The same for the way back, where that leads to one object.
  func lapseInverse(
    _ target: ManagedObject, _ entity: EntityPlan, _ relationship: RelationshipPlan
  ) {
    if open.isEmpty { return }
    guard let inverse = entity.entity.properties[relationship.index].destination?.inverse,
      target.layout.properties[inverse].kind == .toOne
    else { return }
    lapse(target, inverse)
  }

  /// Whether something later was said of the relationship.
  func isLapsed(_ link: Waiting) -> Bool {
    lapsed[link.place].map { $0 > link.list.since } ?? false
  }

  /// An object has a key of the chunk now: what has waited for that leads to it.
  func give(_ object: ManagedObject, slot: Int) { give(object, chunk.keys[slot], slot) }

  /// An object has a key now.
  func give(_ object: ManagedObject, _ key: KeyRef) { give(object, key, chunk.keys.known(key)) }

  private func give(_ object: ManagedObject, _ key: KeyRef, _ slot: Int?) {
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
      make(link, relationship, object)
    }
    waiting[key] = left.isEmpty ? nil : left
    note(.hasArrived(key, links))
  }

  /// An object has the key no more that it was given last.
  func takeBack(_ key: KeyRef, _ slot: Int?) {
    keyed[key]?.removeLast()
    if let slot { slots[slot].keyed.removeLast() }
  }

  private func make(
    _ link: Waiting, _ relationship: RelationshipPlan, _ target: ManagedObject
  ) {
    let owner = context.object(with: link.owner)
    guard owner.isThereForImport else { return }
    var link = link
    if relationship.isToMany {
      owner.insertDestination(relationship.index, target)
    } else {
      link.former = owner.destination(relationship.index)?.objectID
      owner.setDestination(relationship.index, target)
    }
    noteLinked([target], relationship)
    link.list.set(link.position, target.objectID)
    link.list.hasGrown = true
    if relationship.isOrdered {
      place(target.objectID, in: link.list, link.position, owner, relationship)
    }
    if stubs[target.objectID] != nil { linkStub(target.objectID, link) }
  }

  /// A member that comes late takes its place behind the nearest one before it in the list, or else before
  /// the nearest behind it.
  private func place(
    _ id: ManagedObjectID, in list: LinkList, _ position: Int, _ owner: ManagedObject,
    _ relationship: RelationshipPlan
  ) {
    let before = list.ids[..<position].reversed().lazy.compactMap(\.self)
    let all = owner.destinationIDs(relationship.index)
    // Mostly members come in the order of the list: then it stands right as it is, behind the last one.
    if all.last == id, all.count > 1, all[all.count - 2] == before.first { return }
    let members = all.filter { $0 != id }
    let behind = list.ids[(position + 1)...].lazy.compactMap(\.self)
    let position =
      before.compactMap(members.firstIndex).first.map { $0 + 1 }
      ?? behind.compactMap(members.firstIndex).first ?? members.count
    owner.place(relationship.index, [id], at: position)
  }
}
