import CauldronModel

/// A link to an object that is nothing but a key, or is not there yet.
struct PendingLink: Sendable {
  let plan: NaivePlan
  let name: NaiveImporter.KeyName?
  let owner: Int
  let relationship: Shape.Relationship
  let record: Int
  let pointer: String
  /// Its number among all that is said of links.
  let serial: Int
  /// Where it stands in what was listed.
  let list: Int
  let position: Int
  /// The object; nil as long as there is none.
  var stub: Int?
  /// What a to-one relationship led to before.
  var former: Int?
}

extension NaiveImporter {
  func isLapsed(_ link: PendingLink) -> Bool {
    let place = LinkPlace(owner: link.owner, relationship: link.relationship.name)
    guard let lapsed = lapsed[place], let read = read[link.list] else { return false }
    return lapsed > read
  }

  /// A relationship says something else from now on.
  mutating func lapse(_ owner: Int, _ relationship: String) {
    serial += 1
    lapsed[LinkPlace(owner: owner, relationship: relationship)] = serial
  }

  /// Whether an object may have a record of its own that is refused.
  private func mayBeRefused(_ id: Int) -> Bool {
    guard let entity = world.objects[id]?.entity else { return false }
    return world.shape.root(entity) == world.shape.root(plan.entity)
  }

  /// An object with a key and nothing else.
  mutating func stub(_ plan: NaivePlan, _ values: [AttributeScalar]) -> Int {
    let id = world.insert(plan.entity)
    for (name, value) in zip(plan.key ?? [], values) { world.set(id, name, value) }
    report.related[plan.entity, default: [0, 0]][0] += 1
    if mayBeRefused(id) { stubs[id] = name(plan, values) }
    arrived(id, together: false)
    return id
  }

  /// An object has values that links may wait for.
  /// - Parameter together: Whether these are several that are unique together, or one.
  mutating func arrived(_ id: Int, together: Bool) {
    guard let entity = world.objects[id]?.entity else { return }
    for index in links.indices.reversed() {
      let link = links[index]
      guard link.stub == nil, let name = link.name, world.shape.root(entity) == name.root,
        world.shape.isKind(entity, of: link.plan.family),
        (name.attributes.count > 1) == together,
        name.attributes.map({ world.value(id, $0) }) == name.values
      else { continue }
      links.remove(at: index)
      if !isLapsed(link) { waited.append(link) }
    }
    for link in waited.reversed() { make(link, id) }
    waited = []
  }

  private mutating func make(_ link: PendingLink, _ id: Int) {
    var link = link
    if !link.relationship.isToMany {
      link.former = world.targets(link.owner, link.relationship).first
    }
    world.link(link.owner, link.relationship, id)
    linked.insert(.init(owner: id, relationship: link.relationship.inverse))
    lists[link.list][link.position] = id
    grown.insert(link.list)
    if link.relationship.isOrdered { place(link, id) }
    guard stubs[id] != nil else { return }
    link.stub = id
    links.append(link)
  }

  /// A member takes its place behind the nearest one before it that is there, or else before the nearest
  /// behind it.
  private mutating func place(_ link: PendingLink, _ id: Int) {
    let list = lists[link.list]
    var members = world.targets(link.owner, link.relationship).filter { $0 != id }
    let before = list[..<link.position].reversed().compactMap(\.self)
    let behind = list[(link.position + 1)...].compactMap(\.self)
    if let nearest = before.compactMap(members.firstIndex).first {
      members.insert(id, at: nearest + 1)
    } else if let nearest = behind.compactMap(members.firstIndex).first {
      members.insert(id, at: nearest)
    } else {
      members.append(id)
    }
    world.arrange(link.owner, link.relationship, members)
  }
}
