import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Dispatch
import Logging
import TestSupport

/// One thread plays many contexts, in an order that a seed decides, and compares everything it
/// reads with an oracle.
///
/// It also acts in the middle of reads and commits, through the hooks of its store. Who plays is up
/// to subclasses.
class Interleaving {
  static let accounts = 10
  static let sum = 10_000

  var random: SeededGenerator
  let store: HookStore
  let coordinator: PersistentStoreCoordinator
  let disk = Disk()
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
    listen()
  }

  /// Has the store's hooks act.
  func listen() {
    store.hook = { [unowned self] moment in
      reach(moment)
      interrupt(moment)
    }
  }

  /// A context on the coordinator.
  func makeRoot(_ name: String) -> Session {
    Session(ManagedObjectContext(.private, coordinator: coordinator, name: name), on: disk)
  }

  /// One step, any of them.
  func step() throws {}

  /// Tells of every moment, also of those at which nothing else happens.
  func reach(_ moment: HookStore.Moment) {}

  /// Something else happens in the middle of a read or of a commit.
  func act(at moment: HookStore.Moment) throws {}

  /// The first context that writes.
  var first: Session { preconditionFailure("nobody plays") }

  func commit(_ session: Session) throws {}

  /// At the end everything is brought to the store, and must be there.
  func settle() throws {}

  /// Takes that many steps; main thread work is done on the calling thread.
  func run(_ count: Int) throws {
    // Queued work may outlive a failure.
    defer { store.hook = nil }
    try open()
    while steps < count { try step() }
    try settle()
    try check(disk.view.sum == Self.sum, "the store's sum is not conserved")
    try coordinator.close()
  }

  /// The accounts are there before anything else happens.
  private func open() throws {
    first.beginEvent()
    var edits: Edits = [:]
    for _ in 0..<Self.accounts {
      let holding = Holding(balance: Self.sum / Self.accounts, mark: nextMark())
      edits[create(holding, in: first)] = .insert(holding)
    }
    first.endEvent(edits)
    try commit(first)
  }

  /// What a session may see now.
  func views(of session: Session) -> [View] { [session.level.view] }

  /// Whether a session is in the middle of something, and not to be touched by a hook.
  func isBusy(_ session: Session) -> Bool { busy.contains { $0 === session } }

  /// Whether a session may edit and read with its own objects.
  func isFree(_ session: Session) -> Bool { !session.isTroubled && !isBusy(session) }

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
