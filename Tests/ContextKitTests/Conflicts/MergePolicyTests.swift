import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Two contexts on one store change the same account; the policy of the second one decides.
@Suite(.againstHanging) struct MergePolicyTests {
  private struct Match {
    let kit: Kit
    let id: ManagedObjectID
    let first: ManagedObjectContext
    let second: ManagedObjectContext
    /// Kept, so that the second context does not read it anew.
    let held: Held

    init(_ policy: MergePolicy, _ place: Kit.Place) throws {
      kit = try Kit(place)
      id = try kit.store("old", balance: 1)[0]
      (first, second) = (kit.sibling("first"), kit.sibling("second"))
      second.mergePolicy = policy
      let id = id
      held = try second.performAndWait { Held(try $0.context.account(id)) }
      _ = second.performAndWait { [held] _ in held.account.owner }
    }

    func firstUpdates() throws {
      try first.performAndWait { local in
        let account = try local.context.account(id)
        account.owner = "first"
        account.balance = 10
        try local.save()
      }
    }

    func firstDeletes() throws {
      try first.performAndWait { local in
        local.delete(try local.context.account(id))
        try local.save()
      }
    }

    func secondUpdates() throws {
      try second.performAndWait { local in
        held.account.owner = "second"
        held.account.mark = 20
        try local.save()
      }
    }

    func secondDeletes() throws {
      try second.performAndWait { local in
        local.delete(held.account)
        try local.save()
      }
    }

    /// What the store holds; nil if the account is gone.
    func stored() throws -> Values? {
      try kit.sibling("reader").performAndWait { local in
        try Account.find(id, in: local).map(Values.init)
      }
    }

    /// What the second context shows after its save.
    func shown() -> Values? {
      second.performAndWait { _ in held.account.isDeleted ? nil : Values(held.account) }
    }
  }

  @Test(arguments: Kit.Place.allCases)
  func `with the policy error the save fails and both versions are told`(
    _ place: Kit.Place
  ) throws {
    let match = try Match(.error, place)
    try match.firstUpdates()
    let error = #expect(throws: CauldronError.self) { try match.secondUpdates() }
    #expect(error?.code == .saveConflict)
    #expect(error?.objectIDs == [match.id])
    let conflict = try #require(error?.conflicts.first)
    #expect(conflict.objectID == match.id)
    #expect(conflict.objectSnapshot["owner"] == .text("old"))
    #expect(conflict.persistedSnapshot?["owner"] == .text("first"))
    #expect(conflict.newVersion > conflict.oldVersion)
    #expect(try match.stored() == Values(owner: "first", balance: 10, mark: 0))
    // The context keeps its edits, on top of what they were made from.
    #expect(match.shown() == Values(owner: "second", balance: 1, mark: 20))
    #expect(match.second.performAndWait { $0.hasChanges })
  }

  @Test(arguments: Kit.Place.allCases)
  func `a refused save fails again until the object is refreshed`(_ place: Kit.Place) throws {
    let match = try Match(.error, place)
    try match.firstUpdates()
    for _ in 0..<2 {
      let error = #expect(throws: CauldronError.self) { try match.secondUpdates() }
      #expect(error?.code == .saveConflict)
    }
    #expect(match.shown() == Values(owner: "second", balance: 1, mark: 20))
    match.second.performAndWait { $0.context.refresh(match.held.account, mergeChanges: true) }
    #expect(match.shown() == Values(owner: "second", balance: 10, mark: 20))
    try match.secondUpdates()
    #expect(try match.stored() == Values(owner: "second", balance: 10, mark: 20))
  }

  @Test(
    arguments: [
      (MergePolicy.mergeByPropertyStoreTrump, "first", 10, 20),
      (.mergeByPropertyObjectTrump, "second", 10, 20),
      (.overwrite, "second", 1, 20),
      (.rollback, "first", 10, 0),
    ], Kit.Place.allCases)
  func `both have changed it`(
    _ row: (policy: MergePolicy, owner: String, balance: Int, mark: Int), _ place: Kit.Place
  ) throws {
    let match = try Match(row.policy, place)
    try match.firstUpdates()
    try match.secondUpdates()
    let expected = Values(owner: row.owner, balance: row.balance, mark: row.mark)
    #expect(try match.stored() == expected)
    #expect(match.shown() == expected)
    #expect(!match.second.performAndWait { $0.hasChanges })
  }

  @Test(
    arguments: [
      (MergePolicy.mergeByPropertyStoreTrump, false), (.mergeByPropertyObjectTrump, true),
      (.overwrite, true), (.rollback, false),
    ], Kit.Place.allCases)
  func `the first has deleted what the second has changed`(
    _ row: (policy: MergePolicy, survives: Bool), _ place: Kit.Place
  ) throws {
    let match = try Match(row.policy, place)
    try match.firstDeletes()
    try match.secondUpdates()
    let expected = row.survives ? Values(owner: "second", balance: 1, mark: 20) : nil
    #expect(try match.stored() == expected)
    #expect(match.shown() == expected)
  }

  @Test(
    arguments: [
      (MergePolicy.mergeByPropertyStoreTrump, true), (.mergeByPropertyObjectTrump, false),
      (.overwrite, false), (.rollback, true),
    ], Kit.Place.allCases)
  func `the first has changed what the second has deleted`(
    _ row: (policy: MergePolicy, survives: Bool), _ place: Kit.Place
  ) throws {
    let match = try Match(row.policy, place)
    try match.firstUpdates()
    try match.secondDeletes()
    let expected = row.survives ? Values(owner: "first", balance: 10, mark: 0) : nil
    #expect(try match.stored() == expected)
    #expect(!match.second.performAndWait { $0.hasChanges })
  }

  @Test(arguments: Kit.Place.allCases)
  func `with the policy error a deletion of a changed account fails`(_ place: Kit.Place) throws {
    let match = try Match(.error, place)
    try match.firstUpdates()
    let error = #expect(throws: CauldronError.self) { try match.secondDeletes() }
    #expect(error?.code == .saveConflict)
    #expect(try match.stored() == Values(owner: "first", balance: 10, mark: 0))
  }

  @Test(arguments: Kit.Place.allCases)
  func `with the policy error a change of a deleted account fails`(_ place: Kit.Place) throws {
    let match = try Match(.error, place)
    try match.firstDeletes()
    let error = #expect(throws: CauldronError.self) { try match.secondUpdates() }
    #expect(error?.code == .saveConflict)
    #expect(error?.conflicts.first?.newVersion == 0)
    #expect(try match.stored() == nil)
  }
}

/// An account as the table sees it: `owner` is changed by both, `balance` by the first context
/// only, `mark` by the second one only.
private struct Values: Equatable {
  let owner: String
  let balance: Int
  let mark: Int

  init(owner: String, balance: Int, mark: Int) {
    self.owner = owner
    self.balance = balance
    self.mark = mark
  }

  init(_ account: Account) {
    self.init(owner: account.owner, balance: account.balance, mark: account.mark)
  }
}
