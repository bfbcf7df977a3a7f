import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What a reset tells of, and what it leaves of the objects.
@Suite(.againstHanging, .ownThread) struct ResetTests {
  private let bench: Bench
  private let parent: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    parent = bench.child("Parent")
  }

  /// The IDs that a context tells of as invalidated.
  private func invalidated(
    _ context: ManagedObjectContext, _ body: () -> Void
  ) -> [ManagedObjectID] {
    let ids = Locked<[ManagedObjectID]>([])
    let token = NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.didChangeObjectsNotification, object: context, queue: nil
    ) { note in
      guard let objects = note.userInfo?["invalidatedAll"] as? LazyIDs else { return }
      ids.withLock { $0 += objects.ids }
    }
    body()
    NotificationCenter.default.removeObserver(token)
    return ids.withLock { $0 }
  }

  @Test func `a reset tells of new objects as invalidated, too`() throws {
    let old = Person.named("old", in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    let new = Person.named("new", in: parent)
    let ids = [old.objectID, new.objectID]
    let told = invalidated(parent) { parent.reset() }
    #expect(told.contains(ids[0]))
    #expect(told.contains(ids[1]))
  }

  @Test func `an object has no context after a reset`() throws {
    let person = Person.named("ann", in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    parent.reset()
    #expect(person.managedObjectContext == nil && !person.isDeleted && !person.hasChanges)
  }
}
