import CauldronGraph
import CauldronModel

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
