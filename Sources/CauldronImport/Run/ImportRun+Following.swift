import CauldronGraph
import CauldronModel

// A save may give objects other keys: those that were created while nobody could reserve any.
extension ImportRun {
  /// Has all that is noted of objects name them as they are called now.
  /// - Complexity: O(what waits, and what is left to be done at the end).
  func follow() {
    func now(_ id: ManagedObjectID) -> ManagedObjectID { context.importFollowed(id) }
    func now(_ place: LinkPlace) -> LinkPlace {
      LinkPlace(owner: now(place.owner), property: place.property)
    }
    func now(_ link: Waiting) -> Waiting {
      var link = link
      link.owner = now(link.owner)
      link.former = link.former.map(now)
      link.list.follow(now)
      return link
    }
    stubs = Dictionary(stubs.map { (now($0), $1) }) { first, _ in first }
    stubLinks = Dictionary(stubLinks.map { (now($0), $1.map(now)) }) { $0 + $1 }
    waiting = waiting.mapValues { $0.map(now) }
    open = Set(open.map(now))
    lapsed = Dictionary(lapsed.map { (now($0), $1) }) { max($0, $1) }
    own = Set(own.map(now))
    linked = Dictionary(linked.map { (now($0), $1) }) { max($0, $1) }
    removed = removed.map { member in
      var member = member
      (member.id, member.owner) = (now(member.id), now(member.owner))
      return member
    }
    late = Dictionary(
      late.values.map { object in
        var object = object
        object.id = now(object.id)
        return (object.id, object)
      }
    ) { first, _ in first }
  }
}
