import CauldronLedger
package import CauldronModel
import CauldronStore

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

/// Which unsaved objects lead, or have led, to which, for the questions what was changed of a to-many
/// relationship, and which ends of one-to-one links were edited together: going through all that is unsaved
/// for each object would take the square of the time.
///
/// An entry is a hint: whether the reference leads, or led, there is for the caller to look at.
struct UnsavedReferences {
  struct Owner: Hashable {
    let key: Int64
    let root: Int32
  }

  /// The objects that lead anywhere, each once.
  private(set) var objects: [ManagedObject] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private var referrers: [Owner: Set<Int>] = [:]

  /// Notes where an object leads, and where it led before its unsaved changes.
  /// - Complexity: O(to-one relationships).
  mutating func note(_ object: ManagedObject) {
    if object.isFault { return }
    let references = object.layout.digest.toOnes.filter { $0.ownersRoot != nil || $0.isOneToOne }
    if references.isEmpty { return }
    let rows = object.rowsOfChange
    for property in references {
      guard let destination = property.destination?.entity else { continue }
      for row in rows where !row.isNull(property.index) {
        let owner = Owner(key: row.slot(property.index), root: destination.rootNumber)
        referrers[owner, default: []].insert(place(of: object))
      }
    }
  }

  private mutating func place(of object: ManagedObject) -> Int {
    if let place = places[ObjectIdentifier(object)] { return place }
    places[ObjectIdentifier(object)] = objects.count
    objects.append(object)
    return objects.count - 1
  }

  /// What they lead, or have led, to, in the order of entities and keys.
  var owners: [Owner] {
    referrers.keys.sorted { ($0.root, $0.key) < ($1.root, $1.key) }
  }

  /// Whether something is true of one that leads, or has led, to an object.
  func hasReferrer(to owner: ManagedObject, where isWanted: (ManagedObject) -> Bool) -> Bool {
    let owner = Owner(key: owner.key, root: owner.layout.rootNumber)
    return referrers[owner]?.contains { isWanted(objects[$0]) } ?? false
  }

  /// Those that lead, or have led, to an object.
  func referrers(to owner: ManagedObject) -> [ManagedObject] {
    let owner = Owner(key: owner.key, root: owner.layout.rootNumber)
    return referrers[owner]?.map { objects[$0] } ?? []
  }
}

extension ManagedObject {
  /// What the object shows, and what it showed before its unsaved changes and before those of the event.
  fileprivate var rowsOfChange: [RowPointer] {
    let edits = extras?.edits
    let before = [edits?.committed?.row, edits?.eventBase?.row, untoldChange?.base]
    return [RowPointer(row), trackedRow] + before.compactMap { $0 }
  }
}

/// A look at the unsaved objects of a context, for one that the program holds.
///
/// A context whose handle is gone is kept as long as the program holds an object with unsaved
/// changes of it. No notice comes when the program lets go of an object, so kept contexts are looked
/// at when handles go and when events end, on any thread. While a context is kept, its lists of
/// unsaved objects only change with the lock of its ownership held, and a look has it, too.
struct HeldObjects {
  private let event: EventState
  private let pending: Pending
  private let registry: Registry

  init(event: EventState, pending: Pending, registry: Registry) {
    self.event = event
    self.pending = pending
    self.registry = registry
  }

  /// How often each unsaved object stands in the lists, by address, so that nothing is retained.
  private func unsavedReferences() -> [UnsafeMutableRawPointer: Int] {
    var references: [UnsafeMutableRawPointer: Int] = [:]
    let referrers = pending.references?.objects ?? []
    for list in [event.objects, event.deletions, pending.objects, pending.unread, referrers] {
      list.forEachUnretained { _, object in
        guard !object.isGone else { return }
        references[Unmanaged.passUnretained(object).toOpaque(), default: 0] += 1
      }
    }
    return references
  }

  /// How many objects were looked at until one was found that somebody else holds; nil for none.
  func triesUntilOneIsHeld() -> Int? {
    for (tries, (address, count)) in unsavedReferences().enumerated()
    where isHeldElsewhere(.fromOpaque(address), besides: count) {
      return tries
    }
    return nil
  }

  /// Whether somebody besides the lists and the identity map has a strong reference to an object.
  private func isHeldElsewhere(_ entry: Unmanaged<ManagedObject>, besides count: Int) -> Bool {
    // With the lists' references put aside for a moment, the map's alone is left; or the last one of
    // the lists, where the map has another object: a link that was taken away and made anew.
    let spare = isMapped(entry) ? count : count - 1
    for _ in 0..<spare { entry.release() }
    var object = entry.takeRetainedValue()
    let isSole = isKnownUniquelyReferenced(&object)
    _ = entry.retain()
    for _ in 0..<spare { _ = entry.retain() }
    return !isSole
  }

  /// Whether the identity map has this object; not inlined, so that no reference outlives it.
  @inline(never)
  private func isMapped(_ entry: Unmanaged<ManagedObject>) -> Bool {
    entry._withUnsafeGuaranteedRef { object in
      registry.object(object.key, root: object.layout.rootNumber) === object
    }
  }
}
