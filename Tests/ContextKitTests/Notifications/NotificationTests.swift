import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Notifications carry Core Data's names and keys, and come on the thread that does the work.
@Suite(.againstHanging) struct NotificationTests {
  /// What a notification brought.
  private struct Post: Sendable {
    let name: String
    let keys: Set<String>
    let thread: ObjectIdentifier
    let inserted: [ManagedObjectID]
    let objects: Int
  }

  /// The notifications of a context while a block runs.
  private func posts(
    of context: ManagedObjectContext, _ body: () throws -> Void
  ) rethrows -> [Post] {
    let all = Locked<[Post]>([])
    let center = NotificationCenter.default
    let token = center.addObserver(forName: nil, object: context, queue: nil) { notification in
      let info = notification.userInfo ?? [:]
      let objects = info["inserted"] as? LazyObjects
      let post = Post(
        name: notification.name.rawValue, keys: Set(info.keys.compactMap { $0 as? String }),
        thread: ObjectIdentifier(Thread.current),
        inserted: (info["inserted_objectIDs"] as? LazyIDs)?.ids ?? objects?.objectIDs.ids ?? [],
        objects: objects?.objects.count ?? 0)
      all.withLock { $0.append(post) }
    }
    defer { center.removeObserver(token) }
    try body()
    return all.withLock { $0 }
  }

  private let objectKeys: Set = ["inserted", "updated", "deleted", "change"]
  private let idKeys: Set = [
    "inserted_objectIDs", "updated_objectIDs", "deleted_objectIDs", "change",
  ]

  @Test func `a save posts will-save, then what it saved as objects and as IDs`() throws {
    let kit = try Kit()
    let child = kit.child()
    let posts = try posts(of: child) {
      try child.performAndWait { local in
        Account.named("a", in: local.context)
        local.processPendingChanges()
        try local.save()
      }
    }
    #expect(
      posts.map(\.name) == [
        "NSObjectsChangedInManagingContextNotification",
        "NSManagedObjectContextWillSaveNotification",
        "NSManagedObjectContextDidSaveNotification",
        "NSManagedObjectContextDidSaveObjectIDsNotification",
      ])
    try #require(posts.count == 4)
    #expect(posts[0].keys == objectKeys)
    #expect(posts[1].keys.isEmpty)
    #expect(posts[2].keys == objectKeys)
    #expect(posts[2].objects == 1)
    #expect(posts[3].keys == idKeys)
    #expect(posts[3].inserted.count == 1)
  }

  @Test func `notifications come on the thread that works, which waits for the observers`() throws {
    let kit = try Kit()
    let child = kit.child()
    let posts = try posts(of: child) {
      try child.performAndWait { local in
        Account.named("a", in: local.context)
        try local.save()
      }
    }
    #expect(posts.count >= 3)
    #expect(Set(posts.map(\.thread)) == [ObjectIdentifier(Thread.current)])
  }

  @Test func `nothing is posted by a save with nothing to save`() throws {
    let kit = try Kit()
    let child = kit.child()
    let posts = try posts(of: child) { try child.performAndWait { try $0.save() } }
    #expect(posts.map(\.name) == [])
  }

  @Test func `a refused save posts will-save and no did-save`() throws {
    let kit = try Kit()
    let child = kit.child()
    let posts = posts(of: child) {
      let error = #expect(throws: CauldronError.self) {
        try child.performAndWait { local in
          _ = Account.create(in: local.context)
          try local.save()
        }
      }
      #expect(error?.code == .validationMissing)
    }
    let names = posts.map(\.name)
    #expect(names.contains("NSManagedObjectContextWillSaveNotification"))
    #expect(!names.contains("NSManagedObjectContextDidSaveNotification"))
  }

  @Test func `a merge posts refreshed objects and the merged IDs`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let mine = kit.sibling("mine")
    mine.automaticallyMergesChangesFromParent = true
    let held = try mine.performAndWait { Held(try $0.context.account(id)) }
    let posts = try posts(of: mine) {
      try kit.sibling("other").performAndWait { local in
        try local.context.account(id).owner = "b"
        try local.save()
      }
      mine.performAndWait { _ in #expect(held.account.owner == "b") }
    }
    let merge = try #require(
      posts.first {
        $0.name == "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
      })
    #expect(merge.keys == idKeys.union(["refreshed_objectIDs"]))
    let change = try #require(
      posts.first { $0.name == "NSObjectsChangedInManagingContextNotification" })
    #expect(change.keys == ["inserted", "refreshed", "deleted", "change"])
  }

  @Test func `a will-save observer may still change what is saved`() throws {
    let kit = try Kit()
    let child = kit.child()
    let token = NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.willSaveObjectsNotification, object: child, queue: nil
    ) { _ in
      Account.named("late", in: child)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try child.performAndWait { local in
      Account.named("early", in: local.context)
      try local.save()
    }
    #expect(try kit.onMain { try Account.owners(in: $0) } == ["early", "late"])
  }

  @Test func `a cancelled observation is not told any more`() throws {
    let kit = try Kit()
    let child = kit.child()
    let count = Counter()
    let observation = child.observe { _ in count.add() }
    child.add("a")
    let before = count.value
    #expect(before == 1)
    observation.cancel()
    child.add("b")
    #expect(count.value == before)
  }

  @Test func `changes arrive as a sequence of values, in order`() async throws {
    let kit = try Kit()
    let child = kit.child("notes")
    let changes = child.changes
    for number in 0..<5 {
      _ = await child.perform { Account.named("\(number)", in: $0.context).objectID }
      try await child.perform { try $0.save() }
    }
    var saves: [ContextChange] = []
    for await change in changes where change.kind == .didSave {
      saves.append(change)
      if saves.count == 5 { break }
    }
    #expect(saves.map(\.contextName) == Array(repeating: "notes", count: 5))
    #expect(saves.map(\.saveID) == saves.map(\.saveID).sorted())
    #expect(Set(saves.flatMap(\.inserted)).count == 5)
    #expect(saves.allSatisfy { $0.inserted.count == 1 && $0.updated.isEmpty && $0.deleted.isEmpty })
  }
}
