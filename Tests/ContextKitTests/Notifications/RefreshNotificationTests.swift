import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Merges, refreshes, rollbacks and resets tell of the objects that show something else now.
@Suite(.againstHanging) struct RefreshNotificationTests {
  /// A notification by its user info: what is no set of IDs or objects is left out.
  private struct Post: Sendable {
    let name: Notification.Name
    let isOnPoster: Bool
    let ids: [String: Set<ManagedObjectID>]
    let owners: [String: Set<String>]
  }

  private let changed = ManagedObjectContext.didChangeObjectsNotification
  private let merged = ManagedObjectContext.didMergeChangesObjectIDsNotification

  private func posts(
    of context: ManagedObjectContext, _ body: () throws -> Void
  ) rethrows -> [Post] {
    let all = Locked<[Post]>([])
    let thread = ObjectIdentifier(Thread.current)
    let center = NotificationCenter.default
    let token = center.addObserver(forName: nil, object: context, queue: nil) { notification in
      var ids: [String: Set<ManagedObjectID>] = [:]
      var owners: [String: Set<String>] = [:]
      for (key, value) in notification.userInfo ?? [:] {
        guard let key = key as? String else { continue }
        if let lazy = value as? LazyIDs { ids[key] = Set(lazy.ids) }
        if let lazy = value as? LazyObjects {
          ids[key] = Set(lazy.objectIDs.ids)
          owners[key] = Set(lazy.objects.compactMap { ($0 as? Account)?.owner })
        }
      }
      let post = Post(
        name: notification.name,
        isOnPoster: ObjectIdentifier(Thread.current) == thread, ids: ids, owners: owners)
      all.withLock { $0.append(post) }
    }
    defer { center.removeObserver(token) }
    try body()
    return all.withLock { $0 }
  }

  @Test func `a merge tells what came, and which registered objects it refreshed`() throws {
    let kit = try Kit()
    let ids = try kit.store("held", "fault", "stranger", "doomed")
    let mine = kit.sibling("mine")
    mine.automaticallyMergesChangesFromParent = true
    let held = try mine.performAndWait { local in
      [
        Held(try local.context.account(ids[0])), Held(try local.context.account(ids[3])),
      ]
    }
    let fault = try mine.performAndWait { local in
      let fault = local.context.object(with: ids[1])
      #expect(fault.isFault)
      return Held(try #require(fault as? Account))
    }
    let other = kit.sibling("other")
    let posts = try posts(of: mine) {
      try other.performAndWait { local in
        for id in ids.prefix(3) { try local.context.account(id).mark = 1 }
        try local.context.account(ids[3]).delete()
        Account.named("new", in: local.context)
        try local.save()
      }
      mine.performAndWait { _ in }
    }
    let merge = try #require(posts.first { $0.name == merged })
    let new = try #require(merge.ids["inserted_objectIDs"])
    #expect(new.count == 1)
    #expect(merge.ids["updated_objectIDs"] == Set(ids.prefix(3)))
    #expect(merge.ids["deleted_objectIDs"] == [ids[3]])
    #expect(merge.ids["refreshed_objectIDs"] == [ids[0]])
    #expect(merge.ids["invalidated_objectIDs"] == nil)
    let change = try #require(posts.first { $0.name == changed })
    #expect(change.owners["refreshed"] == ["held"])
    #expect(change.ids["inserted"] == new)
    #expect(change.ids["updated"] == nil)
    withExtendedLifetime((held, fault)) {}
  }

  @Test func `a merge of updates of what is not registered changes no objects`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let mine = kit.sibling("mine")
    mine.automaticallyMergesChangesFromParent = true
    mine.performAndWait { _ in }
    let told = Locked<[ContextChange]>([])
    let observation = mine.observe { change in told.withLock { $0.append(change) } }
    let posts = try posts(of: mine) {
      try kit.sibling("other").performAndWait { local in
        try local.context.account(id).mark = 1
        try local.save()
      }
      mine.performAndWait { _ in }
    }
    observation.cancel()
    #expect(posts.map(\.name) == [merged])
    #expect(posts.first?.ids["updated_objectIDs"] == [id])
    #expect(posts.first?.ids["refreshed_objectIDs"] == [])
    #expect(told.withLock { $0.map(\.updated) } == [[id]])
  }

  @Test(arguments: [true, false])
  func `a refresh tells of the object at the end of its event`(mergeChanges: Bool) throws {
    let kit = try Kit()
    let ids = try kit.store("a", "b", "fault")
    let mine = kit.sibling("mine")
    let posts = try posts(of: mine) {
      try mine.performAndWait { local in
        let context = local.context
        let accounts = try ids.prefix(2).map { try context.account($0) }
        for account in accounts { context.refresh(account, mergeChanges: mergeChanges) }
        context.refresh(context.object(with: ids[2]), mergeChanges: mergeChanges)
      }
    }
    #expect(posts.map(\.name) == [changed])
    #expect(posts.first?.ids["refreshed"] == Set(ids.prefix(2)))
    #expect(posts.first?.ids["updated"] == [])
    #expect(posts.allSatisfy { $0.isOnPoster })
  }

  @Test func `a refresh on the main queue, outside perform, is told when its event ends`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let held = try kit.onMain { Held(try $0.account(id)) }
    let posts = posts(of: kit.mainContext) {
      kit.onMain { $0.refresh(held.account, mergeChanges: true) }
      kit.onMain { _ in }
    }
    #expect(posts.map(\.name) == [changed])
    #expect(posts.first?.ids["refreshed"] == [id])
  }

  @Test func `a rollback tells what it brought back and what is gone`() throws {
    let kit = try Kit()
    let ids = try kit.store("edited", "deleted", "kept")
    let mine = kit.sibling("mine")
    let told = Locked<[ContextChange]>([])
    var posts: [Post] = []
    try mine.performAndWait { local in
      let context = local.context
      try context.account(ids[0]).owner = "other"
      let new = Account.named("new", in: context)
      local.processPendingChanges()
      let late = Account.named("late", in: context)
      try context.account(ids[1]).delete()
      let kept = try context.account(ids[2])
      let gone = Set([new.objectID, late.objectID])
      local.processPendingChanges()
      let observation = mine.observe { change in told.withLock { $0.append(change) } }
      posts = self.posts(of: context) { local.rollback() }
      observation.cancel()
      #expect(posts.map(\.name) == [changed])
      #expect(posts.first?.ids["deleted"] == gone)
      #expect(posts.first?.owners["deleted"] == ["new", "late"])
      #expect(context.registeredObject(for: new.objectID) == nil)
      #expect(told.withLock { $0.map { Set($0.deleted) } } == [gone])
      withExtendedLifetime(kept) {}
    }
    #expect(posts.first?.ids["refreshed"] == Set(ids.prefix(2)))
    #expect(posts.first?.owners["refreshed"] == ["edited", "deleted"])
    #expect(posts.first?.ids["inserted"] == [])
    #expect(posts.first?.ids["updated"] == [])
    #expect(posts.allSatisfy { $0.isOnPoster })
  }

  @Test func `a rollback of a parent tells what its children had saved into it`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let parent = kit.sibling("parent")
    let held = try parent.performAndWait { Held(try $0.context.account(id)) }
    let new = try kit.child("child", of: parent).performAndWait { local in
      try local.context.account(id).mark = 1
      let new = Account.named("new", in: local.context).objectID
      try local.save()
      return new
    }
    parent.performAndWait { _ in #expect(held.account.mark == 1) }
    let posts = posts(of: parent) { parent.performAndWait { $0.rollback() } }
    parent.performAndWait { _ in #expect(held.account.mark == 0) }
    #expect(posts.map(\.name) == [changed])
    #expect(posts.first?.ids["refreshed"] == [id])
    #expect(posts.first?.ids["deleted"] == [new])
  }

  @Test func `a rollback of many events tells no merge`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let mine = kit.sibling("mine")
    let posts = try mine.performAndWait { local in
      let account = try local.context.account(id)
      for number in 1...300 {
        account.mark = number
        local.processPendingChanges()
      }
      let posts = self.posts(of: mine) { local.rollback() }
      #expect(account.mark == 0)
      return posts
    }
    #expect(posts.map(\.name) == [changed])
    #expect(posts.first?.ids["refreshed"] == [id])
  }

  @Test func `a rollback of nothing tells nothing`() throws {
    let kit = try Kit()
    let mine = kit.sibling("mine")
    let posts = posts(of: mine) { mine.performAndWait { $0.rollback() } }
    #expect(posts.map(\.name) == [])
  }

  @Test func `a reset tells once that everything is invalid`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let mine = kit.sibling("mine")
    try mine.performAndWait { local in
      let old = try local.context.account(id)
      let new = Account.named("new", in: local.context)
      local.processPendingChanges()
      let ids = [id, new.objectID]
      let posts = posts(of: mine) { local.context.reset() }
      #expect(posts.map(\.name) == [changed])
      #expect(posts.first?.ids["invalidatedAll"] == Set(ids))
      #expect(posts.first?.ids["refreshed"] == nil)
      #expect(posts.allSatisfy { $0.isOnPoster })
      withExtendedLifetime((old, new)) {}
    }
  }

  @Test func `a context that fell far behind tells what it refreshed and what is gone`() throws {
    let kit = try Kit()
    let ids = try kit.store("busy", "doomed")
    let mine = kit.sibling("mine")
    mine.automaticallyMergesChangesFromParent = true
    let held = try mine.performAndWait { local in
      try ids.map { Held(try local.context.account($0)) }
    }
    let other = kit.sibling("other")
    let posts = try posts(of: mine) {
      try mine.performAndWait { _ in
        try other.performAndWait { local in
          let busy = try local.context.account(ids[0])
          try local.context.account(ids[1]).delete()
          for number in 1...300 {
            busy.mark = number
            try local.save()
          }
        }
      }
      mine.performAndWait { _ in #expect(held[0].account.mark == 300) }
    }
    let merge = try #require(posts.first { $0.name == merged })
    #expect(merge.ids["refreshed_objectIDs"] == [ids[0]])
    #expect(merge.ids["invalidated_objectIDs"] == [ids[1]])
    let change = try #require(posts.first { $0.name == changed })
    #expect(change.ids["invalidated"] == [ids[1]])
  }
}
