import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import Dispatch
import Logging

extension HookStore {
  /// A hooked store in memory, and a silent coordinator on it with a "main" queue of its own.
  static func overMemory() throws -> (HookStore, PersistentStoreCoordinator) {
    let model = try ManagedObjectModel(Account.self)
    let number = StoreNumbers.next()
    let store = HookStore(MemoryStore(model: model, storeNumber: number))
    let coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number,
      logger: Logger(label: "ledger") { _ in SwiftLogNoOpLogHandler() },
      mainQueue: MainQueue(DispatchQueue(label: "main of \(number)")))
    return (store, coordinator)
  }
}
