public import CCauldron
public import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronStore
import Dispatch
import Foundation

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
