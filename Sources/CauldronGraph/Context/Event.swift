import CauldronModel

/// What the running event created, edited, deleted and refreshed, and how far it has come.
struct Event {
  /// What it created, edited and deleted, in order.
  private(set) var objects: [ManagedObject] = []
  /// How many of the first objects are deleted, and stay here although what else the event did is
  /// published.
  private(set) var withheld = 0
  /// What was published early, and is told of when the event ends.
  private(set) var untold: [ChangeSet] = []
  /// The objects whose changes were published early and then dropped, which is not to be told.
  private(set) var untoldDrops: Set<ManagedObjectID> = []
  /// What it refreshed.
  private(set) var refreshed: [ManagedObjectID] = []
  /// How objects began that it created and that may turn out to be others.
  private(set) var origins: [(row: HeldRow, entity: EntityLayout)] = []
  /// Whether the context stands in for claimed objects that are in no layer yet.
  var isClaiming = false
  /// How many claims are being made use of, one within the other.
  var claimsInHand = 0
  /// What it deleted and has not carried on to related objects.
  private(set) var deletions: [ManagedObject] = []
  /// How many pieces of work run one within the other; all of them are one event.
  private(set) var depth = 0
  /// Whether the end of the event is on its way in the main queue.
  var isEndQueued = false
  private(set) var isPublishing = false
  /// Whether deletions are being carried on.
  private(set) var isPropagating = false
  /// Who refers to whom in the event; made where deletions are carried on and somebody asks.
  private(set) var referrers: ReferrerIndex?
  /// How many ends of relationships were looked at to carry deletions on, in all events.
  private(set) var visits = 0
  /// How often changes were published, in all events.
  private(set) var publications = 0
  /// The objects whose changes were published, for a save that asks its objects in rounds; nil where
  /// there is none.
  private var record: [ManagedObject]?
  /// How many pieces of work are under way that must find at their end what they began with.
  private var holds = 0
  /// The hook that runs now; nil where none does.
  var hook: RunningHook?
  /// Whether observers are being told that a save begins.
  var tellsOfSave = false
  /// How many saves of the context run one within the other, as observers of a save may save again.
  private(set) var savesInHand = 0
  /// Whether objects are being told that they show values of another moment.
  var tellsSnapshots = false
  /// The objects that are being told of their deletion, each from within the hook of the one before.
  private var preparing: [ObjectIdentifier] = []
  /// The hooks that wait until the context may be used for anything.
  var waiting = WaitingHooks()

  /// Whether it changed nothing that has to be told.
  var isEmpty: Bool { objects.isEmpty && refreshed.isEmpty && untold.isEmpty }

  /// Whether it did nothing that could be published before deletions are carried on.
  var isSettled: Bool { objects.count == withheld }

  /// An object is told that it will be deleted.
  mutating func beginPreparing(_ object: ManagedObject) {
    preparing.append(ObjectIdentifier(object))
  }

  mutating func endPreparing() { preparing.removeLast() }

  /// Whether an object is being told that it will be deleted.
  func isPreparing(_ object: ManagedObject) -> Bool {
    !preparing.isEmpty && preparing.contains(ObjectIdentifier(object))
  }

  /// Work begins.
  /// - Returns: Whether the event begins with it.
  mutating func enter() -> Bool {
    depth += 1
    return depth == 1
  }

  /// Whether the event ends with the work that runs now.
  var isOutermost: Bool { depth == 1 }

  mutating func leave() { depth -= 1 }

  /// A save of the context begins; ``endSave()`` has to follow.
  mutating func beginSave() { savesInHand += 1 }

  mutating func endSave() { savesInHand -= 1 }

  /// Puts an object on the list of what it touched.
  mutating func touch(_ object: ManagedObject) { objects.append(object) }

  /// Notes how an object began that may turn out to be another one.
  mutating func note(origin row: HeldRow, _ entity: EntityLayout) { origins.append((row, entity)) }

  /// How objects began, for somebody who sees to it.
  mutating func takeOrigins() -> [(row: HeldRow, entity: EntityLayout)] {
    if origins.isEmpty { return [] }
    defer { origins = [] }
    return origins
  }

  mutating func note(refreshed id: ManagedObjectID) { refreshed.append(id) }

  /// Notes a deletion that has to be carried on.
  mutating func delete(_ object: ManagedObject) { deletions.append(object) }

  /// The deletions that have to be carried on, which are the caller's to see to now.
  mutating func takeDeletions() -> [ManagedObject] {
    defer { deletions = [] }
    return deletions
  }

  mutating func beginPropagating() { isPropagating = true }

  mutating func endPropagating() { (isPropagating, referrers) = (false, nil) }

  /// Has ``noteReference(_:_:_:)`` add to what is known now, until all deletions are carried on.
  mutating func keep(_ index: ReferrerIndex) { referrers = index }

  /// Notes that a to-one reference of an object leads to another one now.
  mutating func noteReference(_ object: ManagedObject, _ property: Int, _ target: ManagedObject) {
    referrers?.note(object, property, target)
  }

  /// Counts what was looked at to carry deletions on.
  mutating func visit(_ count: Int) { visits += count }

  /// Begins to publish, unless there is nothing to publish or somebody is about it already: the
  /// queries that processing deletions needs must not end the event again.
  mutating func beginPublishing() -> Bool {
    guard !isEmpty, !isPublishing else { return false }
    isPublishing = true
    return true
  }

  /// From now on nothing is published early: what is being compared or written must stay as it is.
  mutating func hold() { holds += 1 }

  mutating func release() { holds -= 1 }

  /// Whether somebody else may publish a part of it.
  var mayBePublishedEarly: Bool { holds == 0 }

  /// Begins to publish what can be published early, unless there is nothing, or somebody publishes.
  mutating func beginPublishingEarly() -> Bool {
    guard !isSettled, !isPublishing else { return false }
    isPublishing = true
    return true
  }

  mutating func endPublishing() { isPublishing = false }

  /// Notes that an object's changes are dropped.
  mutating func dropUntold(_ id: ManagedObjectID) {
    if !untold.isEmpty { untoldDrops.insert(id) }
  }

  /// Takes changes that were dropped out of what is told of; done for many objects at once.
  mutating func settleUntold(_ without: (ChangeSet, Set<ManagedObjectID>) -> ChangeSet) {
    if untoldDrops.isEmpty { return }
    untold = untold.map { without($0, untoldDrops) }.filter { $0.count > 0 }
    untoldDrops = []
  }

  /// Keeps what was published early until it is told of.
  mutating func keep(untold changes: ChangeSet) { untold.append(changes) }

  /// The last of what was published early, if it has at most so many rows; it is the caller's then.
  mutating func takeLastUntold(of count: Int) -> ChangeSet? {
    guard let last = untold.last, last.count <= count else { return nil }
    return untold.removeLast()
  }

  /// What was published early, for somebody who tells of it.
  mutating func takeUntold() -> [ChangeSet] {
    if untold.isEmpty { return [] }
    defer { untold = [] }
    return untold
  }

  /// Notes what was published of the objects that the event touched.
  mutating func note(_ changes: ChangeSet, of objects: [ManagedObject]) {
    publications += 1
    guard record != nil else { return }
    record?.append(contentsOf: objects.lazy.filter { changes.change($0.registeredID) != nil })
  }

  /// Notes from now on whose changes are published, however often that happens.
  /// - Returns: What was noted for somebody else, who goes on when this one ends.
  mutating func beginRecord() -> [ManagedObject]? {
    defer { record = [] }
    return record
  }

  mutating func endRecord(_ outer: [ManagedObject]?) {
    let noted = record ?? []
    record = outer.map { $0 + noted }
  }

  /// The objects whose changes were published since this was asked last, each once.
  mutating func takeRecord() -> [ManagedObject] {
    defer { if record != nil { record = [] } }
    var known: Set<ObjectIdentifier> = []
    return (record ?? []).filter { known.insert(ObjectIdentifier($0)).inserted }
  }

  /// What it touched, which is no more its own.
  mutating func takeObjects() -> [ManagedObject] {
    defer { (objects, withheld) = ([], 0) }
    return objects
  }

  /// What it created and edited, which is no more its own; what it deleted stays.
  mutating func takeLiving() -> [ManagedObject] {
    if deletions.isEmpty { return takeObjects() }
    let new = Array(objects[withheld...])
    objects.removeLast(new.count)
    objects += new.filter { $0.isDeleted }
    withheld = objects.count
    return new.filter { !$0.isDeleted }
  }

  /// What it refreshed, of which it knows no more.
  mutating func takeRefreshed() -> [ManagedObjectID] {
    defer { refreshed = [] }
    return refreshed
  }

  /// Forgets what it created, edited and deleted.
  /// - Returns: The objects, for the caller to release: with one may go what touches another.
  mutating func forgetEdits() -> [ManagedObject] {
    defer { (deletions, origins, untold) = ([], [], []) }
    return takeObjects() + deletions
  }
}
