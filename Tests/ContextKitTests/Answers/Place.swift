import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import Logging
import TestSupport

/// Two processes on one store, as far as contexts can tell: they share nothing but the store.
struct Place {
  let store: FailingStore
  let mine: PersistentStoreCoordinator
  private let model: ManagedObjectModel
  private let number: Int32
  private let logger = Logger(label: "answers") { _ in SwiftLogNoOpLogHandler() }
  let root: ManagedObjectContext
  let ids: [ManagedObjectID]

  init() throws {
    model = try ManagedObjectModel(Account.self)
    number = StoreNumbers.next()
    store = FailingStore(MemoryStore(model: model, storeNumber: number))
    mine = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: logger)
    root = ManagedObjectContext(.private, coordinator: mine, name: "root")
    ids = try root.performAndWait { local in
      let made = ["a", "b"].map { Account.named($0, balance: 100, in: local.context).objectID }
      try local.save()
      return made
    }
  }

  func child(_ name: String) -> ManagedObjectContext {
    ManagedObjectContext(.private, parent: root, name: name)
  }

  func edit(_ index: Int, in context: ManagedObjectContext, _ balance: Int) throws {
    try context.performAndWait { try $0.context.account(ids[index]).balance = balance }
  }

  /// A context of another process, which has cached nothing.
  func stranger() -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(
      model: model, store: store.base, storeNumber: number, logger: logger)
    return ManagedObjectContext(.private, coordinator: coordinator, name: "theirs")
  }

  /// Somebody else writes, of whom nobody here knows.
  func theyWrite(_ index: Int, _ balance: Int) throws {
    let context = stranger()
    try edit(index, in: context, balance)
    try context.performAndWait { try $0.save() }
  }

  /// What the store has.
  func stored() throws -> [Int] {
    try stranger().performAndWait { local in
      try ids.map { try local.context.account($0).balance }
    }
  }
}
