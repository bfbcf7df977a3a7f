import Cauldron
import CauldronModel
import TestSupport
import Testing

/// A context that does not read what its ancestors have not saved.
@Suite(.againstHanging) struct UncommittedTests {
  private let kit: Kit
  /// The context under test, a child of the main context.
  private let careful: ManagedObjectContext

  init() throws {
    kit = try Kit(.file)
    careful = kit.child("careful")
    careful.readsUncommitted = false
  }

  private func owners() throws -> [String] {
    try careful.performAndWait { try Account.owners(in: $0) }
  }

  private func found(_ id: ManagedObjectID) throws -> String? {
    try careful.performAndWait { try Account.find(id, in: $0)?.owner }
  }

  @Test func `contexts read what is not committed unless they are told not to`() {
    #expect(kit.mainContext.readsUncommitted && kit.child().readsUncommitted)
    #expect(!careful.readsUncommitted)
  }

  @Test func `fetch and count leave out what its ancestors have not saved`() throws {
    try kit.store("stored", "renamed", "deleted")
    kit.onMain { main in
      Account.named("new", in: main)
      do {
        for account in try Account.findAll(in: main) where account.owner != "stored" {
          if account.owner == "deleted" { account.delete() }
          if account.owner == "renamed" { account.owner = "of main" }
        }
      } catch { Issue.record(error) }
      main.processPendingChanges()
    }
    kit.root.add("of the root")
    careful.add("own")
    #expect(try owners() == ["deleted", "own", "renamed", "stored"])
    try careful.performAndWait { local in
      let all = try Account.count(in: local)
      let unseen = try Account.count(where: .beginsWith(\.owner, "of"), in: local)
      let renamed = try Account.count(where: \.owner == "renamed", in: local)
      #expect([all, unseen, renamed] == [4, 0, 1])
    }
    // A context that reads everything stands beside it.
    #expect(try kit.seenByMain() == ["new", "of main", "of the root", "stored"])
  }

  @Test func `faults and refreshed objects show what is stored`() throws {
    let id = try kit.store("a", balance: 1)[0]
    try kit.onMain { main in
      try main.account(id).balance = 2
      main.processPendingChanges()
    }
    try careful.performAndWait { local in
      let account = try local.context.account(id)
      #expect(account.balance == 1)
      account.mark = 7
      local.context.refresh(account, mergeChanges: true)
      #expect(account.balance == 1 && account.mark == 7)
      local.context.refresh(account, mergeChanges: false)
      #expect(account.balance == 1 && account.mark == 0)
    }
    try kit.saveMain()
    try careful.performAndWait { local in
      let account = try local.context.account(id)
      local.context.refresh(account, mergeChanges: true)
      #expect(account.balance == 2)
    }
  }

  @Test func `an object that an ancestor has not saved does not exist`() throws {
    let id = kit.onMain { main in
      let id = Account.named("new", in: main).objectID
      main.processPendingChanges()
      return id
    }
    #expect(try found(id) == nil)
    try kit.saveMain()
    #expect(try found(id) == "new")
  }

  @Test func `what it has saved into its parent it still sees`() throws {
    try kit.store("stored")
    careful.add("pushed")
    try careful.performAndWait { local in
      try local.save()
      try Account.findFirst(where: \.owner == "stored", in: local)?.delete()
      try local.save()
    }
    kit.onMain { main in
      Account.named("of main", in: main)
      main.processPendingChanges()
    }
    #expect(try owners() == ["pushed"])
    #expect(try kit.seenByMain() == ["of main", "pushed"])
    try kit.saveMain()
    #expect(try owners() == ["of main", "pushed"])
  }

  @Test func `its children see what it sees and what they save into it`() throws {
    kit.onMain { main in
      Account.named("of main", in: main)
      main.processPendingChanges()
    }
    let child = kit.child("grandchild", of: careful)
    child.add("a")
    try child.performAndWait { try $0.save() }
    #expect(try owners() == ["a"])
    let seen = { try child.performAndWait { try Account.owners(in: $0) } }
    #expect(try seen() == ["a"])
    try careful.performAndWait { try $0.save() }
    #expect(try seen() == ["a"])
    #expect(try kit.seenByMain() == ["a", "of main"])
  }

  @Test(arguments: [
    (MergePolicy.error, 2), (.mergeByPropertyStoreTrump, 2), (.mergeByPropertyObjectTrump, 3),
    (.overwrite, 3), (.rollback, 2),
  ])
  func `its push meets a newer edit of the parent that it could not see`(
    _ policy: MergePolicy, _ balance: Int
  ) throws {
    let id = try kit.store("a", balance: 1)[0]
    try kit.onMain { main in
      try main.account(id).balance = 2
      main.processPendingChanges()
    }
    careful.mergePolicy = policy
    try careful.performAndWait { local in
      let account = try local.context.account(id)
      account.balance = 3
      account.mark = 9
      if policy == .error {
        let error = #expect(throws: CauldronError.self) { try local.save() }
        #expect(error?.code == .saveConflict && error?.property == "balance")
        #expect(account.balance == 3 && local.hasChanges)
      } else {
        try local.save()
        #expect(!local.hasChanges)
        // It shows what is stored, and on top what has become of its own changes.
        #expect(account.balance == (balance == 3 ? 3 : 1))
      }
    }
    let kept = try kit.onMain { try $0.account(id).balance }
    #expect(kept == balance)
  }

  @Test func `its push is combined with an edit of another property that it could not see`() throws
  {
    let id = try kit.store("a", balance: 1)[0]
    try kit.onMain { main in
      try main.account(id).balance = 2
      main.processPendingChanges()
    }
    try careful.performAndWait { local in
      try local.context.account(id).mark = 9
      try local.save()
      let balance = try local.context.account(id).balance
      #expect(balance == 1)
    }
    let account = try kit.onMain { try Held($0.account(id)) }
    let shown = kit.onMain { _ in [account.account.balance, account.account.mark] }
    #expect(shown == [2, 9])
  }

  @Test func `an account that the parent has deleted and it has saved anew is found once`() throws {
    let id = try kit.store("a")[0]
    try careful.performAndWait { try $0.context.account(id).mark = 1 }
    try kit.onMain { main in
      try main.account(id).delete()
      main.processPendingChanges()
    }
    try careful.performAndWait { local in
      try local.save(mergePolicy: .overwrite)
      let marks = try Account.findAll(in: local).map(\.mark)
      let count = try Account.count(in: local)
      #expect(marks == [1] && count == 1)
    }
    #expect(try kit.seenByMain() == ["a"])
  }

  @Test func `where it merges by itself it takes in what is committed and nothing else`() throws {
    let id = try kit.store("a", balance: 1)[0]
    careful.automaticallyMergesChangesFromParent = true
    let account = try careful.performAndWait { Held(try $0.context.account(id)) }
    let shown = { careful.performAndWait { [account] _ in account.account.balance } }
    #expect(shown() == 1)
    let other = kit.child("other")
    try other.performAndWait { local in
      try local.context.account(id).balance = 2
      try local.save()
    }
    #expect(shown() == 1)
    try kit.saveMain()
    #expect(shown() == 2)
  }
}
