import CauldronLedger
import CauldronModel
import CauldronStore

/// The changes of the running event that are in no layer yet, and how far the event has come.
///
/// It is the lowest part of a context: it calls no other part, and only the owner of the context uses it,
/// without a lock. It is a class that the context holds by a constant, so that parts share it and using it
/// retains nothing.
package final class EventState {
  /// How often hooks may change objects before a save or another caller of hooks gives up.
  package static let mostRounds = 100

  /// The objects that it created, edited and deleted, in order.
  @exclusivity(unchecked) private(set) var objects: [ManagedObject] = []
  /// How many of the first objects are deleted, and stay here although what else the event did is
  /// published.
  @exclusivity(unchecked) private(set) var withheld = 0
  /// Changes that were published early; observers are told when the event ends.
  @exclusivity(unchecked) var untold = UntoldChanges()
  /// The objects that it refreshed.
  @exclusivity(unchecked) private(set) var refreshed: [ManagedObjectID] = []
  /// The first rows of objects that it created and that unique values may merge into existing ones.
  @exclusivity(unchecked) private(set) var origins: [(row: HeldRow, entity: EntityLayout)] = []
  /// Whether the context stands in for claimed objects that are in no layer yet.
  @exclusivity(unchecked) var isClaiming = false
  /// How many claims are being made use of, one within the other.
  @exclusivity(unchecked) var claimsInHand = 0
  /// The objects that it deleted and whose delete rules have not run.
  @exclusivity(unchecked) private(set) var deletions: [ManagedObject] = []
  /// How many pieces of work run one within the other; all of them are one event.
  @exclusivity(unchecked) package private(set) var depth = 0
  /// Whether the end of the event is on its way in the main queue.
  @exclusivity(unchecked) var isEndQueued = false
  @exclusivity(unchecked) package private(set) var isPublishing = false
  /// Whether delete rules run.
  @exclusivity(unchecked) private(set) var isPropagating = false
  /// The references that the event has set, by target. Built on first use while delete rules run.
  @exclusivity(unchecked) private(set) var referrers: ReferrerIndex?
  /// How many ends of relationships delete rules have looked at, in all events.
  @exclusivity(unchecked) private(set) var visits = 0
  /// How often changes were published, in all events.
  @exclusivity(unchecked) package private(set) var publications = 0
  /// The objects whose changes were published, for a save that asks its objects in rounds; nil where
  /// there is none.
  @exclusivity(unchecked) private var record: [ManagedObject]?
  /// How many pieces of work are under way that must find at their end what they began with.
  @exclusivity(unchecked) private var holds = 0
  /// The hook that runs now; nil where none does.
  @exclusivity(unchecked) package internal(set) var hook: RunningHook?
  /// Whether observers are being told that a save begins.
  @exclusivity(unchecked) var tellsOfSave = false
  /// The objects that were made because somebody asked for them while a save runs, which it asks no hooks;
  /// nil where no save runs.
  @exclusivity(unchecked) private var madeOnAsking: [ObjectIdentifier: ManagedObject]?
  /// Whether objects are being told that they show values of another moment.
  @exclusivity(unchecked) var tellsSnapshots = false
  /// The objects that are being told of their deletion, each from within the hook of the one before.
  @exclusivity(unchecked) private var preparing: [ObjectIdentifier] = []
  /// The hooks that wait until the context may be used for anything.
  @exclusivity(unchecked) var waiting = WaitingHooks()

  /// Whether it changed nothing that has to be told.
  package var isEmpty: Bool { objects.isEmpty && refreshed.isEmpty && untold.isEmpty }

  /// Whether it did nothing that could be published before deletions are carried on.
  var isSettled: Bool { objects.count == withheld }

  /// A save begins to ask the objects that the context has by now.
  package func beginAsking() { madeOnAsking = [:] }

  package func endAsking() { madeOnAsking = nil }

  /// Notes that an object was made for a question about the saves of children.
  func note(madeOnAsking object: ManagedObject) {
    madeOnAsking?[ObjectIdentifier(object)] = object
  }

  /// Whether the save that runs, if one does, asks an object of what children have saved.
  package func isAsked(_ object: ManagedObject) -> Bool {
    guard let madeOnAsking, !madeOnAsking.isEmpty else { return true }
    return madeOnAsking[ObjectIdentifier(object)] == nil
  }

  /// An object is told that it will be deleted.
  func beginPreparing(_ object: ManagedObject) {
    preparing.append(ObjectIdentifier(object))
  }

  func endPreparing() { preparing.removeLast() }

  /// Whether an object is being told that it will be deleted.
  func isPreparing(_ object: ManagedObject) -> Bool {
    !preparing.isEmpty && preparing.contains(ObjectIdentifier(object))
  }

  /// Work begins.
  /// - Returns: Whether the event begins with it.
  func enter() -> Bool {
    depth += 1
    return depth == 1
  }

  /// Whether the event ends with the work that runs now.
  var isOutermost: Bool { depth == 1 }

  func leave() { depth -= 1 }

  /// Puts an object on the list of what it touched.
  func touch(_ object: ManagedObject) { objects.append(object) }

  /// Notes how an object began that may turn out to be another one.
  func note(origin row: HeldRow, _ entity: EntityLayout) { origins.append((row, entity)) }

  /// How objects began, for somebody who sees to it.
  func takeOrigins() -> [(row: HeldRow, entity: EntityLayout)] {
    if origins.isEmpty { return [] }
    defer { origins = [] }
    return origins
  }

  func note(refreshed id: ManagedObjectID) { refreshed.append(id) }

  /// Notes a deletion that has to be carried on.
  func delete(_ object: ManagedObject) { deletions.append(object) }

  /// The deletions that have to be carried on, which are the caller's to see to now.
  func takeDeletions() -> [ManagedObject] {
    defer { deletions = [] }
    return deletions
  }

  func beginPropagating() { isPropagating = true }

  func endPropagating() { (isPropagating, referrers) = (false, nil) }

  /// Has ``noteReference(from:at:to:)`` add to what is known now, until all deletions are carried on.
  func keep(_ index: ReferrerIndex) { referrers = index }

  /// Notes that a to-one reference of an object leads to another one now.
  func noteReference(from object: ManagedObject, at property: Int, to target: ManagedObject) {
    referrers?.note(object, at: property, leadingTo: target)
  }

  /// Counts what was looked at to carry deletions on.
  func visit(_ count: Int) { visits += count }

  /// Begins to publish, unless there is nothing to publish or somebody is about it already: the
  /// queries that processing deletions needs must not end the event again.
  func beginPublishing() -> Bool {
    guard !isEmpty, !isPublishing else { return false }
    isPublishing = true
    return true
  }

  /// From now on nothing is published early: what is being compared or written must stay as it is.
  package func hold() { holds += 1 }

  package func release() { holds -= 1 }

  /// Whether a part of it may be published before it ends.
  var mayBePublishedEarly: Bool { holds == 0 }

  /// Begins to publish what can be published early, unless there is nothing, or publishing is under
  /// way.
  func beginPublishingEarly() -> Bool {
    guard !isSettled, !isPublishing else { return false }
    isPublishing = true
    return true
  }

  func endPublishing() { isPublishing = false }

  /// Notes what was published of the objects that the event touched.
  func note(_ changes: ChangeSet, of objects: [ManagedObject]) {
    publications += 1
    guard record != nil else { return }
    record?.append(contentsOf: objects.lazy.filter { changes.change($0.registeredID) != nil })
  }

  /// Notes from now on the objects whose changes are published, however often.
  /// - Returns: The record of an outer caller, which goes on when this one ends.
  package func beginRecord() -> [ManagedObject]? {
    defer { record = [] }
    return record
  }

  package func endRecord(_ outer: [ManagedObject]?) {
    let noted = record ?? []
    record = outer.map { $0 + noted }
  }

  /// Ends a record of which nothing is to be known.
  func dropRecord(_ outer: [ManagedObject]?) { record = outer }

  /// The objects whose changes were published since this was asked last, each once.
  package func takeRecord() -> [ManagedObject] {
    defer { if record != nil { record = [] } }
    var known: Set<ObjectIdentifier> = []
    return (record ?? []).filter { known.insert(ObjectIdentifier($0)).inserted }
  }

  /// What it touched, which is no more its own.
  func takeObjects() -> [ManagedObject] {
    defer { (objects, withheld) = ([], 0) }
    return objects
  }

  /// What it created and edited, which is no more its own; what it deleted stays.
  func takeLiving() -> [ManagedObject] {
    if deletions.isEmpty { return takeObjects() }
    let new = Array(objects[withheld...])
    objects.removeLast(new.count)
    objects += new.filter { $0.isDeleted }
    withheld = objects.count
    return new.filter { !$0.isDeleted }
  }

  /// What it refreshed, of which it knows no more.
  func takeRefreshed() -> [ManagedObjectID] {
    defer { refreshed = [] }
    return refreshed
  }

  /// Forgets what it created, edited and deleted.
  /// - Returns: The objects, for the caller to release: with one may go what touches another.
  func forgetEdits() -> [ManagedObject] {
    defer { (deletions, origins, untold) = ([], [], UntoldChanges()) }
    return takeObjects() + deletions
  }
}

/// What an event has published before it ended; observers are told of it when it ends.
struct UntoldChanges {
  /// The change sets, the oldest first.
  private var sets: [ChangeSet] = []
  /// Objects whose changes were published early and then dropped: observers are not told of these.
  private var drops: Set<ManagedObjectID> = []

  var isEmpty: Bool { sets.isEmpty }
  var count: Int { sets.count }

  /// Adds published changes. They are merged with sets that are not much larger: each row is merged a few
  /// times, however often an event publishes.
  mutating func add(_ changes: ChangeSet, to ledger: ChangeLedger) {
    settle(ledger)
    var newest = changes
    while let last = sets.last, last.count <= 2 * newest.count {
      sets.removeLast()
      newest = Self.merge(last, with: newest, in: ledger)
    }
    sets.append(newest)
  }

  /// Notes that an object's changes are dropped.
  mutating func drop(_ id: ManagedObjectID) {
    if !sets.isEmpty { drops.insert(id) }
  }

  /// Empties it.
  /// - Parameter changes: What the event did since.
  /// - Returns: All that is to be told of, as one; nil for nothing.
  mutating func take(with changes: ChangeSet?, _ ledger: ChangeLedger) -> ChangeSet? {
    settle(ledger)
    if sets.isEmpty { return changes }
    let all = (sets + [changes].compactMap { $0 }).map(ledger.followed)
    sets = []
    guard var merged = all.last else { return nil }
    for set in all.dropLast().reversed() { merged = Self.merge(set, with: merged, in: ledger) }
    return merged.count > 0 ? merged : nil
  }

  /// What was published of an object; nil for nothing.
  func change(of id: ManagedObjectID, _ ledger: ChangeLedger) -> UntoldChange? {
    if sets.isEmpty || drops.contains(id) { return nil }
    var result: UntoldChange?
    for set in sets {
      switch ledger.followed(set).change(id) {
      case .inserted: result = UntoldChange(base: nil, changed: PropertySet())
      case .updated(let update):
        let before = result ?? UntoldChange(base: update.base, changed: PropertySet())
        result = UntoldChange(
          base: before.base, changed: before.changed.union(update.changed))
      case .deleted, nil: continue
      }
    }
    return result
  }

  /// Takes changes that were dropped out of what is told of; done for many objects at once.
  private mutating func settle(_ ledger: ChangeLedger) {
    if drops.isEmpty { return }
    sets = sets.map { $0.without(drops, number: ledger.changeSetID()) }.filter { $0.count > 0 }
    drops = []
  }

  private static func merge(
    _ older: ChangeSet, with newer: ChangeSet, in ledger: ChangeLedger
  ) -> ChangeSet {
    ChangeSetMerge.merge(older, with: newer, id: ledger.changeSetID())
  }
}

/// What the running event did to an object, and published before it ended.
struct UntoldChange {
  /// What the object was like before; nil where the event has created it.
  let base: RowPointer?
  let changed: PropertySet
}

/// Which objects of the running event refer to which, while deletions are carried on: what the event
/// itself has changed is in no layer yet, and going through all of it for each walk would take the
/// square of the time.
///
/// An entry is a hint: whether the reference still leads there is for the caller to look at.
struct ReferrerIndex {
  private struct Place: Hashable {
    let target: ObjectIdentifier
    let property: Int
  }

  private var referrers: [Place: [ManagedObject]] = [:]

  /// Notes that a property of an object leads to another one now.
  mutating func note(_ object: ManagedObject, at property: Int, leadingTo target: ManagedObject) {
    referrers[Place(target: ObjectIdentifier(target), property: property), default: []]
      .append(object)
  }

  /// The objects of which the property with an index has led to an object during the event.
  func referrers(to target: ManagedObject, by property: Int) -> [ManagedObject] {
    referrers[Place(target: ObjectIdentifier(target), property: property)] ?? []
  }
}
