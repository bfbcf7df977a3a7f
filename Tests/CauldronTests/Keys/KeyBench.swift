import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronSQLite
import CauldronStore
import Dispatch
import Foundation
import TestSupport
import Testing

/// A root context and a context on a "main" queue, on a store whose lock a test holds.
///
/// From the beginning somebody else writes, so that the first objects get provisional keys.
struct KeyBench {
  let store: BusyStore
  let coordinator: PersistentStoreCoordinator
  let root: ManagedObjectContext
  let main: ManagedObjectContext
  let mainQueue: DispatchQueue
  private let kept = Locked<[ManagedObjectContext]>([])
  private let directory: TemporaryDirectory

  init(_ kind: StoreKind = .file, isBusy: Bool = true) throws {
    let model = try Office.model()
    directory = try TemporaryDirectory()
    let number = StoreNumbers.next()
    let base: any PersistentStore =
      switch kind {
      case .memory: MemoryStore(model: model, storeNumber: number)
      case .file:
        try SQLiteStore.open(
          url: directory.file("store.sqlite"), model: model, storeNumber: number,
          options: SQLiteStoreOptions(synchronous: .normal))
      }
    store = BusyStore(base)
    store.isBusy = isBusy
    mainQueue = DispatchQueue(label: "test.main")
    coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: LogCapture().logger,
      mainQueue: MainQueue(mainQueue))
    root = ManagedObjectContext(.private, coordinator: coordinator, name: "Root")
    main = ManagedObjectContext(.main, parent: root, name: "Main")
    main.automaticallyMergesChangesFromParent = true
  }

  var url: URL { directory.file("store.sqlite") }

  func child(_ name: String = "Child", of parent: ManagedObjectContext? = nil)
    -> ManagedObjectContext
  {
    ManagedObjectContext(.private, parent: parent ?? root, name: name)
  }

  /// A private child of the root that nobody has used; it lives as long as the bench.
  func fresh() -> ManagedObjectContext {
    let context = child("Fresh")
    kept.withLock { $0.append(context) }
    return context
  }

  func onMain<R>(_ body: (ManagedObjectContext) throws -> R) rethrows -> R {
    try mainQueue.sync { try body(main) }
  }

  /// The keys that the store has in the table of an entity.
  func storedKeys(_ entity: String) throws -> [Int64] {
    let layout = try #require(coordinator.managedObjectModel.layout(named: entity))
    let reader = try store.reader()
    defer { reader.finish() }
    return try reader.fetch(StoreQuery(entity: layout)).map(\.key).sorted()
  }
}

extension ManagedObjectID {
  /// Whether no key of the store's stands behind it.
  var isProvisional: Bool { key < 0 }
}
