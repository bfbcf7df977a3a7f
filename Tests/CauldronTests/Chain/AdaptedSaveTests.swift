import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronSQLite
import CauldronStore
import Dispatch
import TestSupport
import Testing

/// What a merge policy makes of a save is known to the contexts that show the save, as soon as they see it.
@Suite(.againstHanging, .ownThread) struct AdaptedSaveTests {
  /// A store that calls a block in the moment in which a commit has ended.
  private final class LandingStore: ForwardingStore {
    let base: any PersistentStore
    let landed = Locked<(@Sendable () -> Void)?>(nil)

    init(_ base: any PersistentStore) { self.base = base }

    func save(
      _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
    ) throws -> SaveReceipt {
      try base.save(plan, willCommit: willCommit) { receipt in
        didCommit(receipt)
        landed.withLock { $0 }?()
      }
    }
  }

  @Test func `a context shows what a policy has dropped when the commit ends`() throws {
    let (directory, number) = (try TemporaryDirectory(), StoreNumbers.next())
    let model = try Office.model()
    let store = LandingStore(
      try SQLiteStore.open(
        url: directory.file("store.sqlite"), model: model, storeNumber: number,
        options: SQLiteStoreOptions(synchronous: .normal)))
    let coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: LogCapture().logger,
      mainQueue: MainQueue(DispatchQueue(label: "test.main")))
    let root = ManagedObjectContext(.private, coordinator: coordinator, name: "Root")
    let beside = ManagedObjectContext(.private, coordinator: coordinator, name: "Beside")
    let child = ManagedObjectContext(.private, parent: root, name: "Child")
    try root.performAndWait { local in
      Person.named("ann", age: 1, in: local.context)
      try local.context.save()
    }
    let copy = try child.performAndWait { local in
      let copy = try #require(try Person.findFirst(in: local))
      (copy.name, copy.age) = ("amy", 2)
      try local.context.save()
      return Lent(copy)
    }
    try beside.performAndWait { local in
      try Person.findFirst(in: local)?.age = 9
      try local.context.save()
    }
    let shown = Locked<[String]>([])
    store.landed.withLock {
      $0 = {
        let text = child.performAndWait { _ in "\(copy.value.name) \(copy.value.age)" }
        shown.withLock { $0.append(text) }
      }
    }
    try root.performAndWait { try $0.context.save(mergePolicy: .mergeByPropertyStoreTrump) }
    #expect(shown.withLock { $0 } == ["amy 9"])
  }
}
