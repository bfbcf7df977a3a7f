import Cauldron
import CauldronGraph
import CauldronModel
import Foundation

// What runs while something fails.
extension Trial {
  func act(_ rig: Rig) throws {
    switch fault.workload {
    case .create, .open, .recover, .migrate, .close: break
    case .save, .checkpoint: try saveInRoot(rig)
    case .chain: try saveThroughChain(rig)
    case .fetch: try fetchAll(rig, mustWork: false)
    case .keys: try takeKeys(rig)
    }
  }

  /// Three saves of the context on the store: small, large with a deletion, changes only.
  private func saveInRoot(_ rig: Rig) throws {
    let save = { try rig.root.saveAndWait(toPersistentStore: true) }
    try attempt(5, in: rig.root, save)
    try attempt(3, retires: 1, longText: true, in: rig.root, save)
    try attempt(0, in: rig.root, save)
    try attempt(1, retires: 4, in: rig.root, save)
  }

  /// A child of the root, a child of main, and two children whose pushes one commit writes.
  private func saveThroughChain(_ rig: Rig) throws {
    let direct = ManagedObjectContext.contextWithParent(rig.root)
    try attempt(3, in: direct) { try direct.saveAndWait(toPersistentStore: true) }
    try giveUp(direct)
    let child = ManagedObjectContext.contextWithParent(rig.main)
    try attempt(4, retires: 1, in: child) { try child.saveAndWait(toPersistentStore: true) }
    try giveUp(child)
    let (first, second) = (
      ManagedObjectContext.contextWithParent(rig.main),
      ManagedObjectContext.contextWithParent(rig.main)
    )
    guard let one = try push(2, from: first) else { return }
    askedIn = rig.main
    guard let two = try push(2, from: second) else { return }
    try ask([one, two], in: rig.main) { try rig.main.saveAndWait(toPersistentStore: true) }
  }

  /// More objects than a block has keys, most of them thrown away, and one of another entity.
  private func takeKeys(_ rig: Rig) throws {
    let scratch = ManagedObjectContext.contextWithParent(rig.root)
    scratch.performAndWait { context in
      for _ in 0..<700 { _ = Note.create(in: context) }
      _ = Shelf.create(in: context)
    }
    scratch.performAndWait { $0.rollback() }
    let child = ManagedObjectContext.contextWithParent(rig.root)
    try attempt(12, in: child) { try child.saveAndWait(toPersistentStore: true) }
    try giveUp(child)
    let other = ManagedObjectContext.contextWithParent(rig.main)
    try attempt(12, in: other) { try other.saveAndWait(toPersistentStore: true) }
  }

  /// What closing meets: a log, readers, keys that are left.
  func prepareClosing(_ rig: Rig) throws {
    let child = ManagedObjectContext.contextWithParent(rig.main)
    try attempt(3, in: child) { try child.saveAndWait(toPersistentStore: true) }
    _ = try rig.main.performAndWait { try Contents($0) }
  }

  /// Saves into the parent only.
  private func push(_ size: Int, from context: ManagedObjectContext) throws -> Int? {
    guard let number = try edit(size, nil, false, in: context) else { return nil }
    do {
      try context.performAndWait { _ in try context.save() }
    } catch {
      check(error, "pushing save \(number)")
      askedIn = context
      return nil
    }
    return number
  }

  /// A context whose own save failed in itself is thrown away, before others build on the rest.
  private func giveUp(_ context: ManagedObjectContext) throws {
    guard context.performAndWait({ _ in context.hasChanges }) else { return }
    context.performAndWait { $0.rollback() }
    book.discardPending()
    askedIn = nil
  }
}
