import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronSQLite
import Dispatch
import TestSupport

/// A store in a file that counts what is asked of it, with its coordinator.
struct CountedFile {
  let store: CountingStore
  let coordinator: PersistentStoreCoordinator
  private let directory: TemporaryDirectory

  init(_ model: ManagedObjectModel) throws {
    directory = try TemporaryDirectory()
    let number = StoreNumbers.next()
    store = CountingStore(
      try SQLiteStore.open(
        url: directory.file("store.sqlite"), model: model, storeNumber: number,
        options: SQLiteStoreOptions(synchronous: .normal)))
    coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: LogCapture().logger,
      mainQueue: MainQueue(DispatchQueue(label: "test.main")))
  }

  /// A private context on the store.
  func context(_ name: String) -> ManagedObjectContext {
    ManagedObjectContext(.private, coordinator: coordinator, name: name)
  }
}
