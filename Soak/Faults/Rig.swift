import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronSQLite
import Dispatch
import Foundation
import Logging

/// An open stack: root, main context, and a way to close it.
struct Rig {
  let root: ManagedObjectContext
  let main: ManagedObjectContext
  let coordinator: PersistentStoreCoordinator
  let close: () throws -> Void

  /// Opens a store as users do, or with hooks that throw.
  static func open(_ url: URL, _ hooks: StoreFaults?) throws -> Rig {
    try hooks.map { try opened(url, $0) } ?? opened(url)
  }

  private static var queue: DispatchQueue { DispatchQueue(label: "main of a rig") }
  private static var logger: Logger { Logger(label: "faults") { _ in SwiftLogNoOpLogHandler() } }

  private static func opened(_ url: URL) throws -> Rig {
    var configuration = StackConfiguration()
    configuration.logger = logger
    configuration.mainQueue = queue
    configuration.migration = .automatic(discarding: Set(FaultModel.discards))
    let stack = try Stack(storeURL: url, model: FaultModel.make(), configuration: configuration)
    return Rig(
      root: stack.rootSavingContext, main: stack.defaultContext, coordinator: stack.coordinator,
      close: stack.close)
  }

  /// Migrates a store to another model.
  static func bring(
    _ url: URL, to model: ManagedObjectModel, discarding: Set<String>
  ) throws {
    var configuration = StackConfiguration()
    configuration.logger = logger
    configuration.mainQueue = queue
    configuration.migration = .automatic(discarding: discarding)
    try Stack(storeURL: url, model: model, configuration: configuration).close()
  }

  /// What a stack does, around another store.
  private static func opened(_ url: URL, _ hooks: StoreFaults) throws -> Rig {
    let model = try FaultModel.make()
    let number = StoreNumbers.next()
    let store = FaultStore(
      try SQLiteStore.open(url: url, model: model, storeNumber: number), hooks)
    let coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: logger,
      mainQueue: MainQueue(queue))
    let root = ManagedObjectContext(
      .private, coordinator: coordinator, name: "Root Saving Context")
    let main = ManagedObjectContext(.main, parent: root, name: "Default Context")
    main.automaticallyMergesChangesFromParent = true
    return Rig(root: root, main: main, coordinator: coordinator) {
      coordinator.finishSaves(patience: 5)
      root.drain()
      try coordinator.close()
    }
  }
}
