import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronSQLite
import CauldronStore
import Dispatch
import Foundation
import TestSupport

/// A root context and a context on a "main" queue, on a store at whose calls a test can act.
struct GatedOffice: Sendable {
  let store: GateStore
  let coordinator: PersistentStoreCoordinator
  let root: ManagedObjectContext
  let main: ManagedObjectContext
  let queue: DispatchQueue
  private let directory: TemporaryDirectory

  /// - Parameter people: The names of people that are in the store; each is a year older than the last.
  init(_ kind: StoreKind = .memory, isWatched: Bool = false, people: [String]) throws {
    let (model, number) = (try Office.model(), StoreNumbers.next())
    directory = try TemporaryDirectory()
    let base: any PersistentStore =
      switch kind {
      case .memory: MemoryStore(model: model, storeNumber: number)
      case .file:
        try SQLiteStore.open(
          url: directory.file("store.sqlite"), model: model, storeNumber: number,
          options: SQLiteStoreOptions(synchronous: .normal))
      }
    store = GateStore(base, isWatched: isWatched)
    queue = DispatchQueue(label: "test.main")
    coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: LogCapture().logger,
      mainQueue: MainQueue(queue))
    root = ManagedObjectContext(.private, coordinator: coordinator, name: "Root")
    main = ManagedObjectContext(.main, parent: root, name: "Main")
    main.automaticallyMergesChangesFromParent = true
    try insert(people)
  }

  var url: URL { directory.file("store.sqlite") }

  func child(_ name: String = "Child", of parent: ManagedObjectContext? = nil)
    -> ManagedObjectContext
  {
    ManagedObjectContext(.private, parent: parent ?? root, name: name)
  }

  func onMain<R>(_ body: (ManagedObjectContext) throws -> R) rethrows -> R {
    try queue.sync { try body(main) }
  }

  /// Has a context of its own save people to the store.
  func insert(_ people: [String]) throws {
    let maker = child("Maker")
    maker.performAndWait { local in
      for (age, name) in people.enumerated() { Person.named(name, age: age, in: local.context) }
    }
    try maker.saveAndWait(toPersistentStore: true)
  }

  /// A list of the main context that was fetched.
  func list(
    _ query: ObjectQuery<Person> = ObjectQuery().sorted(by: \.name)
  ) throws -> FetchedResultsController<Person> {
    try onMain { main in
      let list = FetchedResultsController(query, in: main)
      try list.performFetchAndWait()
      return list
    }
  }
}
