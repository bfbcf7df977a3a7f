public import CCauldron
public import CauldronLedger
package import CauldronModel
import CauldronQuery
import CauldronStore
import Dispatch
import Foundation
import Logging

/// The state of a context; lives as long as the context or any of its objects.
///
/// `@unchecked Sendable` because everything but the locked fields belongs to the context's owner of
/// the moment, which every entry proves.
@usableFromInline
package final class ContextCore: LayerOwner, @unchecked Sendable {
  @usableFromInline package let ownership: Ownership
  /// The thread that was last proven to own the context; `ownership` has the memory. It lies here, too,
  /// because each property access looks at it.
  @usableFromInline let owningThread: UnsafeMutablePointer<UInt>
  package let place: Place
  package let settings: SharedSettings
  /// The running event. While the context is kept without a handle, the lists of the event and of
  /// `pending` change with the ownership's lock held.
  package let event = EventState()
  package let registry: Registry
  package let announcer: Announcer
  package let walks: WalkedLists
  package let drafts: Drafts
  package let keys: ObjectKeys
  @usableFromInline package let reader: Reader
  /// The objects that were found by their unique values.
  @exclusivity(unchecked) final var found = FoundObjects()
  /// Notes what can be undone, if the program wants that.
  @exclusivity(unchecked) package final var undoManager: UndoManager? {
    didSet { drafts.undoRegistration = undoManager?.registration }
  }
  /// What carries out the undo manager's steps; made with the first undo manager.
  @exclusivity(unchecked) package final var undoTarget: (any UndoTarget)?

  init(
    coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext?,
    kind: ManagedObjectContext.ConcurrencyType, name: String
  ) {
    place = Place(coordinator: coordinator, parent: parent)
    ownership = Ownership(
      queue: ContextQueue(kind: kind == .main ? .main(coordinator.mainQueue) : .background),
      kind: kind, node: place.node)
    owningThread = ownership.thread.word
    settings = SharedSettings(name: name)
    registry = Registry(place)
    announcer = Announcer(place: place, settings: settings, event: event, registry: registry)
    walks = WalkedLists(announcer: announcer)
    drafts = Drafts(
      place: place, settings: settings, ownership: ownership, event: event)
    keys = ObjectKeys(walks: walks, drafts: drafts)
    reader = Reader(keys: keys)
    registry.tie(to: ObjectOwner(self))
    node.tie(to: self)
    coordinator.ledger.nodes.add(node)
  }

  /// Whether the calling thread was the last that was proven to own the context.
  @inlinable package var isCurrent: Bool {
    @inline(__always) get { cauldron_is_thread(owningThread) }
  }

  /// What is unsaved.
  package var pending: Pending {
    @inline(__always) get { drafts.pending }
    @inline(__always) _modify { yield &drafts.pending }
  }

  // Parts without state: each is a value made of those that it may call.

  package var hooks: Hooks {
    @inline(__always) get { keys.hooks }
  }
  package var ancestors: Ancestors {
    @inline(__always) get { Ancestors(place) }
  }
  package var whereabouts: Whereabouts { Whereabouts(keys: keys) }
  package var requests: RequestResolver { RequestResolver(place: place) }
  package var fetcher: Fetcher {
    @inline(__always) get { Fetcher(keys: keys) }
  }
  var presenter: Presenter { Presenter(reader: reader) }
  package var editor: Editor {
    @inline(__always) get { Editor(reader: reader) }
  }
  package var walker: Walker {
    @inline(__always) get { Walker(reader: reader) }
  }
  var ordering: Ordering {
    @inline(__always) get { Ordering(reader: reader) }
  }
  package var links: Links {
    @inline(__always) get { Links(ordering: ordering) }
  }
  package var relations: Relations {
    @inline(__always) get { Relations(ordering: ordering) }
  }
  var deleter: Deleter {
    @inline(__always) get { Deleter(links: links) }
  }

  /// Shows the objects what was done elsewhere.
  package var catchUp: CatchUp { CatchUp(self) }
  /// Finds objects, and creates those that are not there.
  var finder: Finder { Finder(self) }
  /// Ends events.
  package var publisher: Publisher {
    @inline(__always) get { Publisher(self) }
  }
  /// Reads registered objects anew.
  package var refresher: Refresher { Refresher(self) }

  @usableFromInline package var name: String { settings.name }
  @usableFromInline package func catchUpSoon() { catchUp.runSoon() }
  package var coordinator: PersistentStoreCoordinator { place.coordinator }
  package var parent: ManagedObjectContext? { place.parent }
  package var node: LedgerNode { place.node }
  /// What its objects have not seen.
  package var inbox: Inbox { node.inbox }
  /// The classes of the model's entities.
  var classes: ObjectClassTable { place.classes }
  /// The context as messages and logs name it.
  package var label: ContextLabel {
    ContextLabel(
      address: UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), place: place,
      kind: ownership.kind, settings: settings)
  }

  /// Proves that the calling code owns the context, or stops the program.
  package func proveOwner() { ownership.proveOwner(of: name, event: event) }

  /// Whether a test has put back that an edit counts until the event ends, whatever comes of it.
  var tellsChangesLate: Bool { coordinator.has(.lateChanges) }

  /// Whether there is anything to save: own edits, or what children have saved into the context.
  package var hasChanges: Bool {
    if !pending.unread.isEmpty { return true }
    keys.settleRefreshes()
    if event.objects.contains(where: { $0.isInEvent && $0.unsavedKindNow != nil }) { return true }
    guard let isOwn = coordinator.ledger.hasOwnEditsAlone(node) else { return false }
    // Of its own edits the running event may have set back all.
    if !isOwn { return !coordinator.ledger.isVain(node, where: coordinator.bringsBack) }
    return pending.objects.contains { $0.isGoneUnsaved || $0.unsavedKindNow != nil }
  }
}

/// Which objects a context has found, or created, by their unique values.
///
/// It is a guess, which is checked before it is used: an object may have got other values since. What
/// another process has written is seen by reading alone, and so it holds for a moment after one only:
/// what comes in within that could as well have come behind a read.
struct FoundObjects {
  /// So many are remembered; who asks for more has few of them twice.
  private static let most = 20_000
  /// How long it holds after a look at the store, in nanoseconds.
  private static let moment: UInt64 = 10_000_000

  private var ids: [UniqueValues: ManagedObjectID] = [:]
  private var lastLook: UInt64 = 0

  /// The object with some values, if the store was looked at a moment ago.
  subscript(values: UniqueValues) -> ManagedObjectID? {
    guard let id = ids[values] else { return nil }
    return DispatchTime.now().uptimeNanoseconds &- lastLook < Self.moment ? id : nil
  }

  /// The store is looked at.
  mutating func noteLook() { lastLook = DispatchTime.now().uptimeNanoseconds }

  mutating func note(_ values: UniqueValues, of id: ManagedObjectID) {
    if ids.count >= Self.most { ids.removeAll() }
    ids[values] = id
  }
}

extension ContextCore {
  /// Called when a handle of the context goes away.
  ///
  /// The context ends with it, and its own unsaved edits with the context, unless the program still
  /// holds an object with unsaved changes.
  func letGo(of handle: ManagedObjectContext) {
    guard ownership.letGo(of: handle) else { return coordinator.kept.endUnused() }
    // Looked at after the handle was given up, because from then on nothing that comes back has an
    // event follow: so what came before is not missed, and what comes between is seen to as well.
    let mustCatchUp = inbox.holdsReturned
    coordinator.kept.endUnused()
    if mustCatchUp, ownership.canRunHere { return catchUpBeforeEnd() }
    endUnlessHeld(isFirst: true)
  }

  /// Has the objects learn that their saved changes came back: then they count as unsaved again.
  /// The handle that this takes comes back to `letGo`.
  private func catchUpBeforeEnd() {
    guard let handle else { return }
    publisher.runEvent {}
    ownership.endClaim(.open)
    withExtendedLifetime(handle) {}
  }

  /// Ends the context, which nobody can use any more.
  func end() {
    if coordinator.ledger.close(node) { bequeath() }
    node.tie(to: nil)
    coordinator.ledger.nodes.remove(node)
    keys.giveBack()
    ownership.thread.clear()
    event.waiting = WaitingHooks()
    _ = (event.forgetEdits(), pending.forgetEdits(), pending.takeUnread())
    finder.endClaiming()
    registry.map.removeAll()
  }

  /// Hands on to the parent what children have saved into this context, as a save would: what
  /// meets a newer change there is for the merge policy to decide, and comes back if refused.
  private func bequeath() {
    let ledger = coordinator.ledger
    do throws(CauldronError) {
      let outcome = try ledger.push(
        PushRequest(of: node, on: coordinator, policy: settings.withLock { $0.mergePolicy }))
      coordinator.announceReturns(
        ContextLog(self).logReturned(outcome?.returned ?? [], carrier: nil, in: node.parent))
      coordinator.wakeReached()
    } catch {
      // Only a strict push throws.
      coordinator.logger.error(
        "Changes that were saved into \(label.description) stay there: \(error)",
        metadata: ContextLog(self).metadata(error))
    }
  }

  /// Ends the context if it has no handle and the program holds no unsaved object of it; else it is
  /// kept and looked at again.
  /// - Parameter isFirst: Whether its handle has only just gone, and another thread may be in the
  ///   middle of an edit that knows nothing of the lock.
  /// - Complexity: O(unsaved objects), a part of a look only one time in many.
  func endUnlessHeld(isFirst: Bool) {
    let fate = ownership.endUnlessHeld(
      isFirst: isFirst, hasUnsaved: { !event.objects.isEmpty || pending.hasUnsaved },
      triesUntilHeld: {
        HeldObjects(event: event, pending: pending, registry: registry).triesUntilOneIsHeld()
      })
    switch fate {
    case .unchanged: return
    case .kept: coordinator.kept.add(self)
    case .ended:
      // The context cannot be used any more: arrivals that wait are dropped, as later ones are.
      inbox.close()
      end()
    }
  }

  /// The context; made anew where only an unsaved object keeps it; nil once it has ended.
  package var handle: ManagedObjectContext? { ownership.handle }
}

extension ContextCore: KeptContext {
  package func endUnlessHeldAgain() { endUnlessHeld(isFirst: false) }
}

// Calls from outside that read relationships: what the running event did is published first, where they are
// not known. Parts publish nothing; where only a part finds out whether it has to read, it is given what
// publishes.
extension ContextCore {
  /// The IDs that a to-many relationship leads to; in its order, if it has one.
  /// - Complexity: One statement at the first walk.
  package func toManyIDs(of object: ManagedObject, through property: PropertyLayout)
    -> [ManagedObjectID]
  {
    publishForWalk(of: object, property)
    return walker.toManyIDs(of: object, through: property)
  }

  /// The objects that a to-many relationship leads to, their rows read.
  ///
  /// All are of classes that `Object` is a superclass of; the caller has seen to that.
  /// - Complexity: One statement at the first walk; later, one for each few hundred faults.
  func toManyObjects<Object: ManagedObject>(
    of object: ManagedObject, through property: PropertyLayout
  ) -> [Object] {
    publishForWalk(of: object, property)
    return walker.toManyObjects(of: object, through: property)
  }

  /// Reads a to-many relationship together with those of the objects beside its object.
  func walkTogether(_ object: ManagedObject, through property: PropertyLayout) {
    guard walker.mustRead(object, through: property), !event.isPublishing else { return }
    keys.followExchanges()
    publisher.publishForQuery()
    walker.walkTogether(object, through: property)
  }

  /// Sets a to-one relationship and keeps the other side in step.
  package func setReference(
    of object: ManagedObject, through property: PropertyLayout, to new: ManagedObject?
  ) {
    var new = new
    if let end = new, let back = property.destination.map({ $0.entity.properties[$0.inverse] }),
      back.isOrdered, relations.leads(object, through: property, elsewhereThanTo: end),
      publishForPlace(in: end, back), !end.isAlive
    {
      // It goes with what the event has deleted before.
      new = nil
    }
    relations.setReference(of: object, through: property, to: new)
  }

  /// Links two objects, unless they are linked.
  func link(_ pair: LinkPair) {
    links.link(pair) {
      publishForPlaces(of: pair.object, through: pair.property, others: [pair.other])
    }
  }

  /// Links an object with others.
  func link(
    _ object: ManagedObject, through property: PropertyLayout, all others: [ManagedObject]
  ) {
    links.link(object, through: property, all: others) {
      publishForPlaces(of: object, through: property, others: $0)
    }
  }

  /// Puts the destinations of an ordered relationship in another order.
  func arrange(_ object: ManagedObject, through property: PropertyLayout, in ids: [ManagedObjectID])
  {
    publishForWalk(of: object, property)
    ordering.arrange(object, through: property, in: ids)
  }

  /// Puts some of the destinations of an ordered relationship next to one another.
  func place(
    _ ids: [ManagedObjectID], at position: Int, in object: ManagedObject,
    through property: PropertyLayout
  ) {
    publishForWalk(of: object, property)
    ordering.place(ids, at: position, in: object, through: property)
  }

  private func publishForWalk(of object: ManagedObject, _ property: PropertyLayout) {
    if walker.mustRead(object, through: property) { publisher.publishForQuery() }
  }

  /// - Returns: Whether hooks and observers may have run.
  private func publishForPlace(in object: ManagedObject, _ property: PropertyLayout) -> Bool {
    guard ordering.mustRead(object, through: property) else { return false }
    publisher.publishForQuery()
    return true
  }

  private func publishForPlaces(
    of object: ManagedObject, through property: PropertyLayout, others: [ManagedObject]
  ) -> Bool {
    if publishForPlace(in: object, property) { return true }
    guard let end = property.destination, end.entity.properties[end.inverse].isOrdered
    else { return false }
    return others.contains { publishForPlace(in: $0, $0.layout.properties[end.inverse]) }
  }
}
