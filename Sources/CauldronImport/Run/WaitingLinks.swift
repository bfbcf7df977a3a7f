import CauldronGraph
import CauldronModel

/// The links to objects that are nothing but a key, or are not there yet.
final class WaitingLinks {
  private let state: ImportState
  private let deleting: MemberDeleting
  /// The objects of which nothing but the key is known, though they are created.
  private(set) var stubs: [ManagedObjectID: KeyRef] = [:]
  private(set) var stubLinks: [ManagedObjectID: [WaitingLink]] = [:]
  private var waiting: [KeyRef: [WaitingLink]] = [:]
  /// What has links that wait, or lead to stubs, and since when such a relationship says something else.
  private var open: Set<LinkPlace> = []
  private var lapsed: [LinkPlace: Int] = [:]
  /// The objects of the record that wait for a link.
  @exclusivity(unchecked) private(set) var waits: Set<ManagedObjectID> = []
  /// How what the record has noted is forgotten, the last first.
  @exclusivity(unchecked) private var steps: [Step] = []
  @exclusivity(unchecked) private var isUndoable = false

  /// Something that was noted across records.
  private enum Step {
    case waits(KeyRef)
    case hasArrived(KeyRef, [WaitingLink])
    case stub(ManagedObjectID)
    case linksStub(ManagedObjectID)
    case isFilled(ManagedObjectID, KeyRef, [WaitingLink])
    case lapsed(LinkPlace, Int?)
  }

  init(_ state: ImportState, _ deleting: MemberDeleting) {
    self.state = state
    self.deleting = deleting
  }

  /// Begins a record.
  /// - Parameter isUndoable: Whether it is taken back where it is refused.
  func begin(isUndoable: Bool) {
    self.isUndoable = isUndoable
    waits.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
  }

  /// Forgets what the record has noted.
  func undo() {
    for step in steps.reversed() { takeBack(step) }
    steps.removeAll(keepingCapacity: true)
  }

  private func note(_ step: Step) {
    if isUndoable { steps.append(step) }
  }

  private func takeBack(_ step: Step) {
    switch step {
    case .waits(let ref): waiting[ref]?.removeLast()
    case .hasArrived(let ref, let links): waiting[ref] = links
    case .stub(let id): stubs[id] = nil
    case .linksStub(let id): stubLinks[id]?.removeLast()
    case .isFilled(let id, let ref, let links):
      stubs[id] = ref
      stubLinks[id] = links
    case .lapsed(let place, let former): lapsed[place] = former
    }
  }

  /// Replaces the IDs in the notes by the present ones.
  func follow(_ now: (ManagedObjectID) -> ManagedObjectID) {
    func followed(_ links: [WaitingLink]) -> [WaitingLink] { links.map { $0.followed(now) } }
    stubs = Dictionary(stubs.map { (now($0), $1) }) { first, _ in first }
    stubLinks = Dictionary(stubLinks.map { (now($0), followed($1)) }) { $0 + $1 }
    waiting = waiting.mapValues(followed)
    open = Set(open.map { $0.followed(now) })
    lapsed = Dictionary(lapsed.map { ($0.followed(now), $1) }) { max($0, $1) }
  }

  /// Ends the waiting.
  /// - Returns: The links for which nothing has come, but those whose relationship says something else since.
  func end() -> [(link: WaitingLink, key: KeyRef)] {
    defer { waiting = [:] }
    return waiting.flatMap { key, links in
      links.filter { !isLapsed($0) }.map { ($0, key) }
    }
  }

  /// Has a link wait for what has a key.
  func wait(for key: KeyRef, _ link: WaitingLink) {
    waiting[key, default: []].append(link)
    open.insert(link.place)
    waits.insert(link.owner)
    note(.waits(key))
  }

  /// A link leads to an object that may go again.
  func linkStub(_ stub: ManagedObjectID, by link: WaitingLink) {
    stubLinks[stub, default: []].append(link)
    open.insert(link.place)
    note(.linksStub(stub))
  }

  /// A relationship says something else from now on.
  func lapse(_ owner: ManagedObject, property: Int) {
    if open.isEmpty { return }
    let place = LinkPlace(owner: owner.objectID, property: property)
    guard open.contains(place) else { return }
    note(.lapsed(place, lapsed.updateValue(state.nextSerial(), forKey: place)))
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
  func isLapsed(_ link: WaitingLink) -> Bool {
    lapsed[link.place].map { $0 > link.list.since } ?? false
  }

  /// An object is there of which nothing but the key is known.
  func addStub(_ id: ManagedObjectID, _ key: KeyRef) {
    stubs[id] = key
    note(.stub(id))
  }

  func isStub(_ object: ManagedObject) -> Bool { stubs[object.objectID] != nil }

  /// More is said of an object than its key.
  func fill(_ id: ManagedObjectID) {
    guard let key = stubs.removeValue(forKey: id) else { return }
    note(.isFilled(id, key, stubLinks.removeValue(forKey: id) ?? []))
  }

  /// An object has a key now: what has waited for that leads to it.
  func take(_ object: ManagedObject, as key: KeyRef) {
    guard !waiting.isEmpty, let links = waiting[key] else { return }
    var left: [WaitingLink] = []
    for link in links where !isLapsed(link) {
      let relationship = state.relationship(of: link)
      let family = state.plan.entities[relationship.destination].family
      guard object.layout.isKind(of: family) else {
        left.append(link)
        continue
      }
      make(link, through: relationship, to: object)
    }
    waiting[key] = left.isEmpty ? nil : left
    note(.hasArrived(key, links))
  }

  private func make(
    _ link: WaitingLink, through relationship: RelationshipPlan, to target: ManagedObject
  ) {
    let owner = state.context.object(with: link.owner)
    // It may have been deleted since, as another object stands where it was.
    guard (try? owner.load()) != nil, owner.isThereForImport else { return }
    var link = link
    if relationship.isToMany {
      owner.insertDestination(through: relationship.index, target)
    } else {
      let former = owner.destination(relationship.index)
      link.former = former?.objectID
      owner.setDestination(through: relationship.index, to: target)
      if let former, former !== target {
        deleting.replaced(former, of: owner, through: relationship)
      }
    }
    deleting.noteLinked([target], through: relationship)
    link.list.set(link.position, to: target.objectID)
    link.list.hasGrown = true
    if relationship.isOrdered {
      place(target.objectID, by: link, of: owner, through: relationship)
    }
    if isStub(target) { linkStub(target.objectID, by: link) }
  }

  /// A member that comes late takes its place behind the nearest one before it in the list, or else before
  /// the nearest behind it.
  private func place(
    _ id: ManagedObjectID, by link: WaitingLink, of owner: ManagedObject,
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

/// A link that was made to an object of which nothing but the key is known, or that could not be made yet.
struct WaitingLink {
  /// The object in whose record the link is.
  var owner: ManagedObjectID
  /// The numbers of its plan and of the relationship in that.
  let plan: Int
  let relationship: Int
  /// The property that is.
  let property: Int
  let record: Int
  /// Where the link is in the file.
  let pointer: String
  /// Its number among all that is said of such relationships.
  let serial: Int
  /// What the record lists, and where in it the link is.
  let list: LinkList
  let position: Int
  /// What a to-one relationship led to before it led to an object that may go again.
  var former: ManagedObjectID?

  var place: LinkPlace { LinkPlace(owner: owner, property: property) }

  /// The link with its objects as they are called now.
  func followed(_ now: (ManagedObjectID) -> ManagedObjectID) -> WaitingLink {
    var link = self
    link.owner = now(owner)
    link.former = former.map(now)
    link.list.follow(now)
    return link
  }
}

/// What a record lists in a relationship, where some of that is not there yet.
final class LinkList {
  /// Nil for those that are not there yet.
  private(set) var ids: [ManagedObjectID?] = []
  /// Whether something has come that was not there.
  var hasGrown = false
  /// When all of it had been read, by the number of what was said last; until then nothing is later.
  var since = Int.max

  /// Takes in what was there.
  func take(_ others: [ManagedObjectID?]) {
    for (position, id) in others.enumerated() where id != nil { set(position, to: id) }
    if ids.count < others.count { set(others.count - 1, to: nil) }
  }

  /// Names what is there as it is called now.
  func follow(_ now: (ManagedObjectID) -> ManagedObjectID) { ids = ids.map { $0.map(now) } }

  func set(_ position: Int, to id: ManagedObjectID?) {
    while ids.count <= position { ids.append(nil) }
    ids[position] = id
  }
}

/// A relationship of an object.
struct LinkPlace: Hashable {
  let owner: ManagedObjectID
  let property: Int

  /// The place with its owner as that is called now.
  func followed(_ now: (ManagedObjectID) -> ManagedObjectID) -> LinkPlace {
    LinkPlace(owner: now(owner), property: property)
  }
}
