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
