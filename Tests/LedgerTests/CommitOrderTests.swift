import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct CommitOrderTests {
  private let store: HookStore
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    (store, coordinator) = try HookStore.overMemory()
  }

  private func context(_ name: String) -> ManagedObjectContext {
    ManagedObjectContext(.private, coordinator: coordinator, name: name)
  }

  private func makeAccount() throws -> ManagedObjectID {
    try context("maker").performAndWait { local in
      let account = Account.create(in: local)
      account.balance = 1
      try local.context.save()
      return account.objectID
    }
  }

  private func balance(_ id: ManagedObjectID) throws -> Int? {
    try context("reader").performAndWait { try Account.find(id, in: $0)?.balance }
  }

  /// Saves 2, and has another context on the store act and save as soon as readers see that.
  private func race(_ id: ManagedObjectID, _ act: @escaping @Sendable (Account) -> Void) throws {
    let second = DispatchGroup()
    store.hook = { [store, coordinator] moment in
      guard moment == .committed else { return }
      store.hook = nil
      second.enter()
      Thread.detachNewThread {
        defer { second.leave() }
        for _ in 0..<1_000 {
          if Self.edit(id, coordinator, act) { return }
          usleep(1_000)
        }
        Issue.record("the second context cannot save")
      }
      // It has saved by then, or waits for this commit to end.
      _ = second.wait(timeout: .now() + 0.3)
    }
    try context("first").performAndWait { local in
      try Account.find(id, in: local)?.balance = 2
      try local.context.save()
    }
    second.wait()
  }

  /// - Returns: Whether the edit was saved.
  private static func edit(
    _ id: ManagedObjectID, _ coordinator: PersistentStoreCoordinator, _ act: (Account) -> Void
  ) -> Bool {
    let context = ManagedObjectContext(.private, coordinator: coordinator, name: "second")
    return context.performAndWait { local in
      do {
        guard let account = try Account.find(id, in: local), account.balance == 2 else {
          return false
        }
        act(account)
        try local.context.save()
        return true
      } catch {
        return false
      }
    }
  }

  @Test func `the commit that was made last is the one that others see`() throws {
    let id = try makeAccount()
    #expect(try balance(id) == 1)
    try race(id) { $0.balance = 3 }
    #expect(try balance(id) == 3)
    try context("third").performAndWait { local in
      try Account.find(id, in: local)?.balance += 1
      try local.context.save()
    }
    #expect(try balance(id) == 4)
  }

  @Test func `what was deleted last does not come back`() throws {
    let id = try makeAccount()
    #expect(try balance(id) == 1)
    try race(id) { $0.delete() }
    #expect(try balance(id) == nil)
  }

  @Test func `nobody who needs the ledger waits for a reader that fixes its view`() throws {
    let id = try makeAccount()
    let other = context("other")
    var pins = 0
    store.hook = { moment in
      guard moment == .pinning || moment == .pinned else { return }
      pins += 1
      // The end of an event takes the ledger's lock.
      other.performAndWait { local in
        if let account = try? Account.find(id, in: local) { account.mark += 1 }
      }
    }
    let count = try context("reader").performAndWait { try Account.findAll(in: $0).count }
    store.hook = nil
    #expect(count == 1)
    #expect(pins == 2)
  }

  @Test func `a reader that has missed two commits reads before the next one`() throws {
    let id = try makeAccount()
    let writer = context("writer")
    var commits = 0
    store.hook = { moment in
      guard moment == .pinned else { return }
      commits += 1
      writer.performAndWait { local in
        do {
          try Account.find(id, in: local)?.balance += 1
          try local.context.save()
        } catch {
          Issue.record(error)
        }
      }
    }
    let found = try context("reader").performAndWait { try Account.findAll(in: $0).map(\.balance) }
    store.hook = nil
    #expect(commits == 2)
    #expect(found == [3])
  }
}
