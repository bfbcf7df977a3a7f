import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import TestSupport
import Testing

/// A store that refuses a commit as a whole, because it is locked, leaves everything as it was.
struct RefusedCommitTests {
  private let store: HookStore
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    (store, coordinator) = try HookStore.overMemory()
  }

  private func root() -> ManagedObjectContext {
    ManagedObjectContext(.private, coordinator: coordinator, name: "root")
  }

  private func account(
    _ id: ManagedObjectID, _ context: ManagedObjectContext
  ) throws -> Account {
    try #require(try context.existingObject(with: id) as? Account)
  }

  private func balance(_ id: ManagedObjectID, _ context: ManagedObjectContext) throws -> Int {
    try withExtendedLifetime(context) { try account(id, context).balance }
  }

  /// Who edits an account first, and whose edit is built on it.
  enum Order: CaseIterable { case child, root }

  @Test(arguments: Order.allCases)
  func `a context's own edits stay before or behind those of its children`(
    _ order: Order
  ) throws {
    let root = root()
    let own = Account.create(in: root)
    own.balance = 1
    try root.save()
    let child = ManagedObjectContext(.private, parent: root, name: "child")
    if order == .root {
      own.balance = 2
      root.processPendingChanges()
    }
    let edited = try account(own.objectID, child)
    edited.balance += 1
    try child.save()
    root.processPendingChanges()
    if order == .child { own.balance += 1 }
    store.refusesNext = true
    let error = #expect(throws: CauldronError.self) { try root.save() }
    #expect(error?.code == .storeBusy && own.balance == 3 && root.hasChanges)
    let probe = ManagedObjectContext(.private, parent: root, name: "probe")
    #expect(try balance(own.objectID, probe) == 3)
    try root.save()
    #expect(try balance(own.objectID, self.root()) == 3 && !root.hasChanges)
  }

  @Test(arguments: [false, true])
  func `what children have built on a refused edit does not become the context's own`(
    _ isNew: Bool
  ) throws {
    let (root, rival) = (root(), root())
    let other = Account.create(in: root)
    let own = Account.create(in: root)
    own.balance = 1
    other.balance = 1
    try root.save()
    let first = isNew ? Account.create(in: root) : own
    first.balance = 2
    root.processPendingChanges()
    let child = ManagedObjectContext(.private, parent: root, name: "child")
    try account(first.objectID, child).balance = 3
    try child.save()
    root.processPendingChanges()
    first.mark = 5
    other.balance = 2
    root.processPendingChanges()
    try account(other.objectID, rival).balance = 7
    try rival.save()
    // Both go back, and the context's own edits become one.
    for _ in 0..<2 { #expect(throws: CauldronError.self) { try root.save() } }
    let probe = ManagedObjectContext(.private, parent: root, name: "probe")
    let seen = try account(first.objectID, probe)
    #expect(seen.balance == 2 && seen.mark == 5)
  }

  @Test func `a context's own edits keep their order, however often they come back`() throws {
    let (root, rival) = (root(), root())
    let (own, other) = (Account.create(in: root), Account.create(in: root))
    try root.save()
    let child = ManagedObjectContext(.private, parent: root, name: "child")
    let theirs = try account(other.objectID, child)
    own.balance = 2
    root.processPendingChanges()
    theirs.balance = 3
    try child.save()
    root.processPendingChanges()
    own.mark = 5
    root.processPendingChanges()
    try account(own.objectID, rival).balance = 7
    try rival.save()
    #expect(throws: CauldronError.self) { try root.save() }
    theirs.balance = 4
    try child.save()
    root.processPendingChanges()
    own.delete()
    root.processPendingChanges()
    // What came back becomes one, which is older than the deletion all the same.
    for _ in 0..<2 { #expect(throws: CauldronError.self) { try root.save() } }
    let probe = ManagedObjectContext(.private, parent: root, name: "probe")
    #expect(try Account.findAll(in: probe).map(\.objectID) == [other.objectID])
  }

  /// What a child does with changes that came back before it is told of them.
  enum Answer: CaseIterable { case rollback, save }

  @Test(arguments: Answer.allCases)
  func `what a child has dropped or saved again meanwhile is not unsaved`(
    _ answer: Answer
  ) throws {
    let (root, rival) = (root(), root())
    let (stale, other) = (Account.create(in: root), Account.create(in: root))
    try root.save()
    let child = ManagedObjectContext(.private, parent: root, name: "child")
    child.mergePolicy = .overwrite
    let edited = try account(stale.objectID, child)
    edited.balance = 1
    try child.save()
    other.balance = 1
    try account(stale.objectID, rival).balance = 7
    try rival.save()
    store.hook = { [store] moment in
      guard moment == .beforeSave else { return }
      store.hook = nil
      switch answer {
      case .rollback: child.rollback()
      case .save: #expect(throws: Never.self) { try child.save() }
      }
    }
    try root.save()
    child.processPendingChanges()
    #expect(!child.hasChanges && !edited.isUpdated)
    #expect(edited.balance == (answer == .save ? 1 : 7))
  }
}
