import Cauldron
import CauldronGraph
import CauldronModel
import Dispatch
import Logging
import TestSupport

/// One thread plays many contexts, in an order that a seed decides, and compares everything it
/// reads with an oracle.
///
/// It also acts in the middle of reads and commits, through the hooks of its store.
final class Interleaving {
  static let accounts = 10
  static let sum = 10_000

  var random: SeededGenerator
  let store: HookStore
  let coordinator: PersistentStoreCoordinator
  let root: Session
  let main: Session
  var children: [Session] = []
  /// What the running read may find.
  var watch: Watch?
  /// What went wrong in a hook, which cannot throw.
  var failure: (any Error)?
  /// Sessions in the middle of something, which the hooks leave alone.
  var busy: [Session] = []
  var isInHook = false
  var isCommitting = false
  var lastMark = 0
  var lastKey: Int64 = 1
  var steps = 0

  init(
    seed: UInt64, store: HookStore, model: ManagedObjectModel, storeNumber: Int32,
    mainQueue: DispatchQueue
  ) {
    random = SeededGenerator(seed: seed)
    self.store = store
    coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: storeNumber,
      logger: Logger(label: "ledger") { _ in SwiftLogNoOpLogHandler() },
      mainQueue: MainQueue(mainQueue))
    let root = ManagedObjectContext(.private, coordinator: coordinator, name: "root")
    self.root = Session(root, parent: nil)
    main = Session(ManagedObjectContext(.main, parent: root, name: "main"), parent: self.root)
    for index in 0..<5 { children.append(makeChild(index)) }
    store.hook = { [unowned self] in interrupt($0) }
  }

  /// Three children of the main context, two siblings of it.
  func makeChild(_ index: Int) -> Session {
    let parent = index < 3 ? main : root
    let context = ManagedObjectContext(
      .private, parent: parent.context, name: "child \(index)")
    return Session(context, parent: parent)
  }

  /// Takes that many steps; main thread work is done on the calling thread.
  func run(_ count: Int) throws {
    // Queued work may outlive a failure.
    defer { store.hook = nil }
    try open()
    while steps < count { try step() }
    try settle()
    try coordinator.close()
  }

  /// The accounts are there before anything else happens.
  private func open() throws {
    root.beginEvent()
    var edits: Edits = [:]
    for _ in 0..<Self.accounts {
      let holding = Holding(balance: Self.sum / Self.accounts, mark: nextMark())
      edits[create(holding, in: root)] = .insert(holding)
    }
    root.endEvent(edits)
    try commit()
  }

  /// At the end everything is brought to the store, and must be there.
  private func settle() throws {
    for session in children { session.rollback() }
    if !main.level.isRefused { try push(main) } else { main.rollback() }
    try commit()
    try probe(root)
    try check(root.level.committed.sum == Self.sum, "the store's sum is not conserved")
  }

  func nextMark() -> Int {
    lastMark += 1
    return lastMark
  }

  func rethrow() throws {
    if let failure { throw failure }
  }

  func check(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw Violation("step \(steps): \(what())") }
  }
}

/// A read under way: everything that was true since it began may be its answer.
struct Watch {
  let level: Level
  var views: [View]
}
