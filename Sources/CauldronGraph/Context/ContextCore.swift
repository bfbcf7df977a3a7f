import CauldronModel
import Foundation

/// The state of a context; lives as long as the context or any of its objects.
///
/// `@unchecked Sendable` because everything but the locked fields belongs to the context's owner of
/// the moment, which every entry proves.
@usableFromInline
package final class ContextCore: @unchecked Sendable {
  @usableFromInline let ownership: Ownership
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
  let inbox = Inbox()
  /// Where new rows and edited copies are written.
  @exclusivity(unchecked) final var builder = RowBuilder()
  let identity: IdentityMap
  /// The class that was created last; mostly the next one is the same.
  @exclusivity(unchecked) final var lastLayout:
    (type: ManagedObject.Type, layout: EntityLayout.Unowned)?
  /// While the context is kept without a handle, what these list changes with the ownership's lock
  /// held.
  @exclusivity(unchecked) final var event = Event()
  @exclusivity(unchecked) package final var pending = Pending()
  /// Keys taken in advance, by number of the root entity; empty ranges for none.
  @exclusivity(unchecked) final var keys: [Range<Int64>]
  /// How many exchanges of keys the objects have followed.
  @exclusivity(unchecked) final var followedExchanges: UInt32
  /// Tells how many there were; the ledger keeps it.
  let provisional: Unmanaged<ProvisionalKeys>
  let settings: Locked<ContextSettings>
  let observers = ContextObservers()
  /// Up to which of the writes of others the context has forgotten what it walked.
  var seenOthers: UInt32 = 0
  /// Whether a to-many relationship of any object was walked.
  var hasWalks = false

  init(
    coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext?,
    kind: ManagedObjectContext.ConcurrencyType, name: String
  ) {
    self.coordinator = coordinator
    layouts = coordinator.managedObjectModel.layoutTable
    self.parent = parent
    node = LedgerNode(parent: parent?.core.node)
    unretained = (
      .passUnretained(node), .passUnretained(coordinator.ledger),
      .passUnretained(coordinator.cache), .passUnretained(coordinator.classes)
    )
    provisional = .passUnretained(coordinator.ledger.provisional)
    followedExchanges = coordinator.ledger.provisional.exchangeCount
    ownership = Ownership(
      queue: ContextQueue(kind: kind == .main ? .main(coordinator.mainQueue) : .background),
      kind: kind)
    keys = Array(repeating: 0..<0, count: coordinator.managedObjectModel.layouts.count + 1)
    identity = IdentityMap(
      entities: coordinator.managedObjectModel.layouts.count, classes: coordinator.classes)
    settings = Locked(ContextSettings(name: name))
    node.tie(to: self)
    coordinator.ledger.nodes.add(node)
  }

  var name: String { settings.withLock { $0.name } }
}
