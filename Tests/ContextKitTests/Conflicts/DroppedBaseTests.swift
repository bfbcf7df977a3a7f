import Cauldron
import CauldronModel
import TestSupport
import Testing

/// In one commit a policy drops an edit that another save was built on: the value that the other one
/// saw has never been in the store.
@Suite(.againstHanging) struct DroppedBaseTests {
  static let dropping: [MergePolicy] = [.mergeByPropertyStoreTrump, .rollback]

  /// A balance of 100 that "early" makes 90 and "late", which saw that, 80, both waiting in the
  /// root; and 50 is committed beside them.
  private func conflict(
    _ kit: Kit, _ policy: MergePolicy, _ late: MergePolicy
  ) throws -> (ManagedObjectID, early: ManagedObjectContext, late: ManagedObjectContext) {
    let id = try kit.store("a", balance: 100)[0]
    let contexts = (kit.child("early", of: kit.root), kit.child("late", of: kit.root))
    let beside = kit.sibling("beside")
    try contexts.0.performAndWait { local in
      try local.context.account(id).balance = 90
      try local.save(mergePolicy: policy)
    }
    try contexts.1.performAndWait { local in
      let account = try local.context.account(id)
      #expect(account.balance == 90)
      account.balance -= 10
      try local.save(mergePolicy: late)
    }
    try beside.performAndWait { local in
      try local.context.account(id).balance = 50
      try local.save()
    }
    return (id, contexts.0, contexts.1)
  }

  private func stored(_ kit: Kit, _ id: ManagedObjectID) throws -> Int {
    try kit.sibling("reader").performAndWait { try $0.context.account(id).balance }
  }

  @Test(arguments: Kit.Place.allCases, dropping)
  func `what was built on a dropped edit is a conflict and comes back`(
    _ place: Kit.Place, _ policy: MergePolicy
  ) throws {
    let kit = try Kit(place)
    let (id, early, late) = try conflict(kit, policy, .error)
    #expect(throws: CauldronError.self) { try kit.root.saveAndWait(toPersistentStore: true) }
    #expect(try stored(kit, id) == 50)
    #expect(!early.performAndWait { $0.hasChanges } && late.performAndWait { $0.hasChanges })
    #expect(!kit.root.performAndWait { $0.hasChanges })
    let error = #expect(throws: CauldronError.self) {
      try late.saveAndWait(toPersistentStore: true)
    }
    #expect(error?.code == .saveConflict && error?.objectIDs == [id])
    #expect(try stored(kit, id) == 50)
  }

  @Test(arguments: Kit.Place.allCases, dropping)
  func `its own policy decides about it as about any conflict`(
    _ place: Kit.Place, _ policy: MergePolicy
  ) throws {
    let kit = try Kit(place)
    let (id, _, late) = try conflict(kit, policy, .mergeByPropertyObjectTrump)
    try kit.root.saveAndWait(toPersistentStore: true)
    #expect(try stored(kit, id) == 80)
    #expect(!late.performAndWait { $0.hasChanges } && !kit.root.performAndWait { $0.hasChanges })
  }
}
