import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What Apple's framework was seen to do where a context takes in what a sibling has saved, and where it
/// drops what it has not saved, as the list of acceptance has it under 15 and 17 to 20.
@Suite(.againstHanging) struct MergeAcceptanceTests {
  private let bench: Bench
  private let ids: [ManagedObjectID]
  private let mine: ManagedObjectContext

  init() throws {
    bench = try Witness.bench(.file)
    let maker = bench.committed()
    ids = (0..<4).map { Witness.named("\($0)", in: maker).objectID }
    try maker.save()
    mine = bench.committed()
  }

  /// Has a sibling change objects, and tells what it has saved.
  private func siblingSaves(_ edit: (ManagedObjectContext) throws -> Void) throws -> ContextChange {
    let sibling = bench.committed()
    let saved = Locked<ContextChange?>(nil)
    let observation = sibling.observe { change in
      if change.kind == .didSave { saved.withLock { $0 = change } }
    }
    defer { observation.cancel() }
    try edit(sibling)
    try sibling.save()
    return try #require(saved.withLock { $0 })
  }

  /// What a context posts while a block runs: the name's last part, and how many IDs of which kind.
  private func posts(_ body: () throws -> Void) rethrows -> [String: [String: Int]] {
    let all = Locked<[String: [String: Int]]>([:])
    let token = NotificationCenter.default.addObserver(forName: nil, object: mine, queue: nil) {
      var counts: [String: Int] = [:]
      for (key, value) in $0.userInfo ?? [:] {
        let ids = (value as? LazyIDs) ?? (value as? LazyObjects)?.objectIDs
        if let key = key as? String, let count = ids?.ids.count, count > 0 { counts[key] = count }
      }
      let name = $0.name.rawValue
      all.withLock { [counts] in $0[name] = counts }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try body()
    return all.withLock { $0 }
  }

  private let changed = ManagedObjectContext.didChangeObjectsNotification.rawValue
  private let merged = ManagedObjectContext.didMergeChangesObjectIDsNotification.rawValue

  @Test func `acceptance 15: a rollback needs no undo manager`() throws {
    let edited = try #require(try Witness.find(ids[0], in: mine))
    let deleted = try #require(try Witness.find(ids[1], in: mine))
    edited.name = "x"
    deleted.delete()
    let new = Witness.create(in: mine)
    mine.processPendingChanges()
    mine.rollback()
    #expect(edited.name == "0" && !edited.hasChanges && !deleted.isDeleted)
    #expect(new.managedObjectContext == nil || new.isDeleted)
    #expect(!mine.hasChanges && mine.insertedObjects.isEmpty)
    try mine.save()
    #expect(try Witness.count(in: bench.committed()) == 4)
  }

  // Apple's context lists a merged deletion among its deleted objects until it has processed it. Here it
  // is not one that the context has to save at any time.
  @Test
  func `acceptance 17: merged objects are refreshed, inserted and deleted, and not to be saved`()
    throws
  {
    let updated = try #require(try Witness.find(ids[0], in: mine))
    let deleted = try #require(try Witness.find(ids[1], in: mine))
    let change = try siblingSaves { sibling in
      try Witness.find(ids[0], in: sibling)?.name = "theirs"
      try Witness.find(ids[1], in: sibling)?.delete()
      _ = Witness.create(in: sibling)
    }
    let posts = posts {
      mine.mergeChanges(fromContextDidSave: change)
      mine.processPendingChanges()
    }
    #expect(posts[changed] == ["refreshed": 1, "inserted": 1, "deleted": 1])
    #expect(updated.name == "theirs" && deleted.isDeleted)
    #expect(mine.insertedObjects.isEmpty && mine.updatedObjects.isEmpty)
    #expect(mine.deletedObjects.isEmpty && !mine.hasChanges)
  }

  @Test func `acceptance 18: the IDs of a merge are told, with those that were refreshed`() throws {
    let held = try ids.prefix(2).map { try #require(try Witness.find($0, in: mine)) }
    let change = try siblingSaves { sibling in
      for id in ids.prefix(2) { try Witness.find(id, in: sibling)?.name = "theirs" }
      _ = Witness.create(in: sibling)
    }
    let posts = posts {
      mine.mergeChanges(fromContextDidSave: change)
      mine.processPendingChanges()
    }
    #expect(
      posts[merged] == [
        "inserted_objectIDs": 1, "updated_objectIDs": 2, "refreshed_objectIDs": 2,
      ])
    #expect(held.allSatisfy { $0.name == "theirs" })
  }

  @Test func `acceptance 19: updates of what is not registered change no objects`() throws {
    let change = try siblingSaves { try Witness.find(ids[0], in: $0)?.name = "theirs" }
    let posts = posts {
      mine.mergeChanges(fromContextDidSave: change)
      mine.processPendingChanges()
    }
    #expect(posts[changed] == nil && posts[merged] == ["updated_objectIDs": 1])
    #expect(mine.registeredObjects.isEmpty)
  }

  @Test(arguments: [true, false])
  func `acceptance 20: a context takes in siblings' saves by itself, or does not`(
    _ merges: Bool
  ) throws {
    let object = try #require(try Witness.find(ids[0], in: mine))
    mine.automaticallyMergesChangesFromParent = merges
    _ = try siblingSaves { try Witness.find(ids[0], in: $0)?.name = "theirs" }
    mine.processPendingChanges()
    #expect(object.name == (merges ? "theirs" : "0"))
  }
}
