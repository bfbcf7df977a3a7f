import CauldronLedger
package import CauldronModel

/// What a context has not saved.
package struct Pending {
  /// What earlier events created, edited and deleted, in order.
  package internal(set) var objects: [ManagedObject] = []
  /// Reverse index of to-one references among unsaved objects, those of the running event included. Built
  /// on first use.
  var references: UnsavedReferences?
  /// Edited objects whose row could not be read: what was changed cannot be told, so nothing of it
  /// is published before the row is read.
  package private(set) var unread: [ManagedObject] = []
  /// The objects whose changes a refresh has dropped, and which the context's own layers still have.
  private(set) var dropped: Set<ManagedObjectID> = []

  /// Objects whose deletions a refresh has taken back since the last save.
  private(set) var undeleted: Set<ObjectIdentifier> = []

  /// The rows that refreshes have found below unsaved changes, which the layers are to be put on.
  private(set) var rebased: [ManagedObjectID: HeldRow] = [:]
  /// The one-to-one links of which one end was edited as the former partner of the other, and did not show
  /// it.
  var torn = TornLinks()

  /// Objects that were exchanged for others and do not show those objects' rows yet.
  private var exchanged: [ManagedObject] = []

  package var count: Int { objects.count }

  /// Whether earlier events have left anything unsaved, be it of an object whose row is not read.
  var hasUnsaved: Bool { !objects.isEmpty || !unread.isEmpty }

  /// Notes that an object has become another one.
  mutating func note(exchanged object: ManagedObject) { exchanged.append(object) }

  /// Objects that were exchanged for others, for the caller to show them their rows.
  mutating func takeExchanged() -> [ManagedObject] {
    if exchanged.isEmpty { return [] }
    defer { exchanged = [] }
    return exchanged
  }

  /// Whether a refresh has dropped the changes to an object, but no layer was made without them.
  @inline(__always)
  func hasDropped(_ id: @autoclosure () -> ManagedObjectID) -> Bool {
    !dropped.isEmpty && dropped.contains(id())
  }

  /// Whether refreshes have left something to do with the layers.
  var hasRefreshed: Bool { !dropped.isEmpty || !rebased.isEmpty }

  /// Notes that the changes to an object have to go from the layers.
  package mutating func drop(_ id: ManagedObjectID) {
    dropped.insert(id)
    if !rebased.isEmpty { rebased[id] = nil }
  }

  /// Notes that the deletion of an object was taken back.
  mutating func note(undeleted object: ManagedObject) {
    undeleted.insert(ObjectIdentifier(object))
  }

  /// Forgets which deletions were taken back, as a save has ended.
  mutating func forgetUndeleted() { undeleted = [] }

  /// Notes that the changes to an object count as made from another row.
  mutating func rebase(_ id: ManagedObjectID, onto row: HeldRow) { rebased[id] = row }

  /// Takes out the new base rows of changed objects, to put the layers on them.
  mutating func takeRebased() -> [ManagedObjectID: HeldRow] {
    defer { rebased = [:] }
    return rebased
  }

  /// Takes out the objects with dropped changes, to remove these from the layers.
  mutating func takeDropped() -> Set<ManagedObjectID> {
    defer { dropped = [] }
    return dropped
  }

  /// Names the dropped objects by the keys that they have now.
  mutating func follow(_ keys: ProvisionalKeys) {
    if !hasRefreshed { return }
    dropped = Set(dropped.map { $0.followed(keys) })
    rebased = Dictionary(
      rebased.map { ($0.followed(keys), $1) }, uniquingKeysWith: { first, _ in first })
  }

  /// Keeps an object back until its row is read.
  mutating func holdBack(_ object: ManagedObject) {
    if !unread.contains(where: { $0 === object }) { unread.append(object) }
  }

  /// Keeps an object back no more.
  /// - Returns: Whether it was kept back.
  mutating func release(_ object: ManagedObject) -> Bool {
    guard let index = unread.firstIndex(where: { $0 === object }) else { return false }
    unread.remove(at: index)
    return true
  }

  /// What was kept back, which is now the caller's to see to.
  mutating func takeUnread() -> [ManagedObject] {
    defer { unread = [] }
    return unread
  }

  /// Forgets what earlier events did, and what a refresh dropped of it.
  /// - Returns: The objects, for the caller to release: with one may go what edits another.
  mutating func forgetEdits() -> [ManagedObject] {
    defer {
      (objects, dropped, rebased, references, torn) = ([], [], [:], nil, TornLinks())
      undeleted = []
    }
    return objects
  }
}

/// Former partners that were read at different moments. An edit of one end was an edit of the
/// other, too, although the rows of the other do not show it.
struct TornLinks {
  private var partners: [ManagedObjectID: Set<ManagedObjectID>] = [:]

  mutating func note(_ object: ManagedObjectID, with partner: ManagedObjectID) {
    partners[object, default: []].insert(partner)
    partners[partner, default: []].insert(object)
  }

  func partners(of object: ManagedObjectID) -> Set<ManagedObjectID> {
    partners.isEmpty ? [] : partners[object] ?? []
  }
}
