import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import TestSupport
import Testing

/// A context whose queue stands still while much is saved beside it catches up with a few reads.
@Suite(.againstHanging) struct BacklogTests {
  private let store: HookStore
  private let coordinator: PersistentStoreCoordinator
  private let reads = Locked(0)

  init() throws {
    (store, coordinator) = try HookStore.overMemory()
    store.hook = { [reads] moment in
      if moment == .reading { reads.withLock { $0 += 1 } }
    }
  }

  private func context(_ name: String) -> ManagedObjectContext {
    ManagedObjectContext(.private, coordinator: coordinator, name: name)
  }

  /// Makes accounts, and a context that has them all and takes in what others save.
  private func reader(of count: Int) throws -> (ManagedObjectContext, [Account]) {
    let maker = context("maker")
    for _ in 0..<count { Account.create(in: maker).balance = 1 }
    try maker.saveAndWait(toPersistentStore: true)
    let reader = context("reader")
    reader.automaticallyMergesChangesFromParent = true
    let accounts = try reader.performAndWait { try Account.findAll(in: $0) }
    return (reader, accounts)
  }

  @Test func `what hundreds of saves have changed is found by key`() throws {
    let (reader, accounts) = try reader(of: 2_000)
    let writer = context("writer")
    let ids = accounts.prefix(40).map(\.objectID)
    // Nothing is taken in before the reader's event has ended.
    try reader.performAndWait { local in
      for round in 0..<600 {
        try writer.performAndWait { local in
          let account = try local.existingObject(with: ids[round % 40]) as? Account
          account?.balance = round
          try local.save()
        }
      }
      reads.withLock { $0 = 0 }
    }
    let refreshed = Locked(0)
    let observation = reader.observe { change in
      if change.kind == .didMerge { refreshed.withLock { $0 += change.refreshed.count } }
    }
    reader.performAndWait { _ in
      for (number, account) in accounts.prefix(40).enumerated() {
        #expect(account.balance == 560 + number)
      }
      #expect(accounts.dropFirst(40).allSatisfy { $0.balance == 1 })
    }
    #expect(reads.withLock { $0 } <= 2)
    #expect(refreshed.withLock { $0 } <= 40)
    observation.cancel()
  }

  @Test func `deletions are found, too`() throws {
    let (reader, accounts) = try reader(of: 400)
    let ids = accounts.map(\.objectID)
    let writer = context("writer")
    try reader.performAndWait { _ in
      for id in ids.prefix(300) {
        try writer.performAndWait { local in
          try local.existingObject(with: id).delete()
          try local.save()
        }
      }
    }
    reads.withLock { $0 = 0 }
    reader.performAndWait { _ in
      #expect(accounts.prefix(300).allSatisfy { $0.isDeleted })
      #expect(!accounts.dropFirst(300).contains { $0.isDeleted })
    }
    #expect(reads.withLock { $0 } <= 2)
  }

  @Test(arguments: [60, 400])
  func `rows that no cache knows are read many at once`(_ saves: Int) throws {
    let (reader, _) = try reader(of: 1)
    let writer = context("writer")
    // A fetch finds what the context has not taken in yet.
    let found = try reader.performAndWait { local in
      for _ in 0..<saves {
        try writer.performAndWait { local in
          Account.create(in: local.context).balance = 5
          try local.save()
        }
      }
      return try Account.findAll(where: \.balance == 5, in: local)
    }
    #expect(found.count == saves)
    reads.withLock { $0 = 0 }
    reader.performAndWait { _ in #expect(found.allSatisfy { $0.balance == 5 }) }
    #expect(reads.withLock { $0 } <= 3)
  }
}
