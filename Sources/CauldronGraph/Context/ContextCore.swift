import CauldronModel
import Foundation

/// The state of a context; lives as long as the context or any of its objects.
///
/// `@unchecked Sendable` because everything but the locked fields belongs to the context's owner of
/// the moment, which every entry proves.
@usableFromInline
package final class ContextCore: @unchecked Sendable {
  @usableFromInline let owner = OwningThread()
  let coordinator: PersistentStoreCoordinator
  /// The entities by number, counted from 1; the coordinator's model keeps them.
  let layouts: UnsafePointer<EntityLayout.Unowned>
  let parent: ManagedObjectContext?
  package let node: LedgerNode
  /// What a fault needs, by a way that retains nothing; `node` and `coordinator` keep them.
  let unretained:
    (
      node: Unmanaged<LedgerNode>, ledger: Unmanaged<ChangeLedger>, cache: Unmanaged<RowCache>,
      classes: Unmanaged<ObjectClassTable>
    )
  let queue: ContextQueue
  let kind: ManagedObjectContext.ConcurrencyType
  /// Where new rows and edited copies are written.
  @exclusivity(unchecked) final var builder = RowBuilder()
  let identity: IdentityMap
  /// The class that was created last; mostly the next one is the same.
  @exclusivity(unchecked) final var lastLayout:
    (type: ManagedObject.Type, layout: EntityLayout.Unowned)?
  /// What the current event created, edited and deleted, in order.
  @exclusivity(unchecked) final var event: [ManagedObject] = []
  /// What the current event refreshed.
  var refreshed: [ManagedObjectID] = []
  var unsettled = UnsettledRefreshes()
  /// What earlier events did and the context has not saved.
  @exclusivity(unchecked) package final var pending: [ManagedObject] = []
  /// Keys taken in advance, by number of the root entity; empty ranges for none.
  @exclusivity(unchecked) final var keys: [Range<Int64>]
  /// How many exchanges of keys the objects have followed.
  @exclusivity(unchecked) final var followedExchanges: UInt32
  /// Tells how many there were; the ledger keeps it.
  let provisional: Unmanaged<ProvisionalKeys>
  /// What decides about conflicts when the context saves.
  let mergePolicy = Locked(MergePolicy.error)
  /// Edited objects whose row could not be read: what was changed cannot be told, so nothing of it
  /// is published before the row is read.
  var unread: [ManagedObject] = []
  let shared: Locked<Shared>
  let observers = ContextObservers()
  /// Set while the end of the event is on its way in the main queue.
  var isEventEndQueued = false
  var eventDepth = 0
  /// Up to which of the writes of others the context has forgotten what it walked.
  var seenOthers: UInt32 = 0
  /// Whether a to-many relationship of any object was walked.
  var hasWalks = false
  /// What the event deleted and has not carried on to related objects.
  var deletions: [ManagedObject] = []
  /// Whether the context has no handle and is kept for the sake of an unsaved object; changes with
  /// the lock of `shared` held, and so do `event` and `pending` while it is set.
  var isKept = false
  /// The queries that processing deletions needs must not end the event again.
  var isPublishing = false

  /// What is read and written from any thread.
  struct Shared {
    var handle = LapsingReference<ManagedObjectContext>()
    var name: String
    var claim = ContextClaim.open
    /// Change sets that arrived or left, which the registered objects have not seen.
    var inbox: [Arrival] = []
    /// How many of them are kept.
    var inboxLimit = 256
    /// What arrived before, where it was too much to be kept.
    var behind = ArrivedKeys()
    var isCatchUpQueued = false
    var isDetached = false
    var isMerging = false
    /// How often a kept context is passed over, because the last look took long.
    var looksToSkip = 0
    /// The thread that last ran work here, for messages.
    var lastThread = 0
  }

  /// A change set that came or went.
  struct Arrival {
    let changes: ChangeSet
    let reason: Reason
    /// Whether it is the context's own and came back because it could not be written.
    var isReturned: Bool { reason == .returned }
    /// Whether others made it what it is.
    var isMerged: Bool { reason == .sibling || reason == .adapted }

    enum Reason {
      /// A child saved into this context.
      case child
      /// Somebody else saved into the parent or the store.
      case sibling
      /// A merge policy has changed what this context, or one below, has saved.
      case adapted
      /// The context's own changes could not be written and came back.
      case returned
      /// The context has dropped what it had not saved, which the rollback itself tells.
      case discarded
    }
  }

  init(
    coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext?,
    kind: ManagedObjectContext.ConcurrencyType, name: String
  ) {
    self.coordinator = coordinator
    layouts = coordinator.managedObjectModel.layoutTable
    self.parent = parent
    self.kind = kind
    node = LedgerNode(parent: parent?.core.node)
    unretained = (
      .passUnretained(node), .passUnretained(coordinator.ledger),
      .passUnretained(coordinator.cache), .passUnretained(coordinator.classes)
    )
    provisional = .passUnretained(coordinator.ledger.provisional)
    followedExchanges = coordinator.ledger.provisional.exchangeCount
    queue = ContextQueue(kind: kind == .main ? .main(coordinator.mainQueue) : .background)
    keys = Array(repeating: 0..<0, count: coordinator.managedObjectModel.layouts.count + 1)
    identity = IdentityMap(
      entities: coordinator.managedObjectModel.layouts.count, classes: coordinator.classes)
    shared = Locked(Shared(name: name))
    node.tie(to: self)
    coordinator.ledger.nodes.add(node)
  }

  var name: String { shared.withLock { $0.name } }

}
