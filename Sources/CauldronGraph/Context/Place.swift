package import CauldronLedger
package import CauldronModel

/// Where a context stands: in which chain, on which store, with which model. It never changes.
///
/// `@unchecked Sendable` because nothing changes after `init`. It is a class so that each part keeps one
/// reference.
package final class Place: @unchecked Sendable {
  package let coordinator: PersistentStoreCoordinator
  let parent: ManagedObjectContext?
  let node: LedgerNode
  let entityCount: Int
  /// Whether a class wants to be told when a row of its objects has been read.
  let awakes: Bool
  /// The numbers of the joins of many-to-many relationships.
  let joinRoots: [Int32]
  /// The entities by number, counted from 1; the coordinator's model keeps them.
  package let layouts: UnsafePointer<EntityLayout.Unowned>
  /// What a fault needs, by a way that retains nothing; `node` and `coordinator` keep them.
  let unretained:
    (
      node: Unmanaged<LedgerNode>, ledger: Unmanaged<ChangeLedger>, cache: Unmanaged<RowCache>,
      classes: Unmanaged<ObjectClassTable>
    )

  init(coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext?) {
    self.coordinator = coordinator
    self.parent = parent
    node = LedgerNode(parent: parent?.core.node)
    node.journal = coordinator.ledger.journal
    awakes = coordinator.classes.allHooks.contains(.awakeFromFetch)
    entityCount = coordinator.managedObjectModel.layouts.count
    joinRoots = coordinator.managedObjectModel.layouts.filter(\.isJoin).map(\.number)
    layouts = coordinator.managedObjectModel.layoutTable
    unretained = (
      .passUnretained(node), .passUnretained(coordinator.ledger),
      .passUnretained(coordinator.cache), .passUnretained(coordinator.classes)
    )
  }
}

extension Place {
  /// The classes of the model's entities.
  var classes: ObjectClassTable { unretained.classes.takeUnretainedValue() }
}

extension LedgerNode {
  /// The context, as long as it exists.
  package var core: ContextCore? {
    // Cores alone tie themselves to nodes.
    owner.map { unsafeDowncast($0, to: ContextCore.self) }
  }
}

/// The contexts above a context, whose running events are published before it reads or saves.
///
/// A change of a context is seen in a child before the context's event ends: a child publishes the
/// event before it reads or saves. It does so only on a thread that may use both contexts, so no
/// thread waits for another.
package struct Ancestors {
  private let place: Place

  init(_ place: Place) { self.place = place }

  /// Publishes what the running events of ancestors did, as a fetch in them would: deletions are carried
  /// on, and observers are told. Only of ancestors that the calling code has at hand.
  /// - Complexity: O(ancestors), without a lock, where there is nothing.
  @inline(__always)
  package func publish() {
    if areAwaited { publishNow { $0.publisher.publish() } }
  }

  /// Publishes what the running events of ancestors have created and edited. Deletions, notifications and
  /// hooks wait for the events' ends: reading a single object must change no other one.
  @inline(__always)
  func publishQuietly() {
    if areAwaited { publishNow { $0.publisher.publishQuietly() } }
  }

  @inline(__always)
  private var areAwaited: Bool {
    place.unretained.node._withUnsafeGuaranteedRef { $0.waitsForAncestors }
  }

  @inline(never)
  private func publishNow(_ publish: (ContextCore) -> Void) {
    if place.coordinator.has(.unseenEvents) { return }
    for ancestor in place.node.ancestors where ancestor.unpublished.value != 0 {
      guard let core = ancestor.core, core.ownership.isCallers,
        core.event.mayBePublishedEarly
      else { continue }
      let previous = core.ownership.thread.value
      core.ownership.thread.setCurrent()
      publish(core)
      core.ownership.thread.set(previous)
    }
  }
}
