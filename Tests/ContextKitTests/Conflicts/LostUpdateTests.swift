import Cauldron
import CauldronModel
import Dispatch
import TestSupport
import Testing

/// An edit that rests on a value which somebody else has changed since is a conflict, whatever was
/// taken in meanwhile; only a policy, a rollback or a refresh ends it.
@Suite(.againstHanging) struct LostUpdateTests {
  /// A context that edits, one that is quicker, and the account of both.
  private struct Race {
    let kit: Kit
    let id: ManagedObjectID
    let mine: ManagedObjectContext
    let theirs: ManagedObjectContext
    let held: Held

    init(_ place: Kit.Place = .memory) throws {
      kit = try Kit(place)
      id = try kit.store("a", balance: 100)[0]
      (mine, theirs) = (kit.sibling("mine"), kit.sibling("theirs"))
      let id = id
      held = try mine.performAndWait { Held(try $0.context.account(id)) }
      _ = mine.performAndWait { [held] _ in held.account.balance }
    }

    func edit(_ body: (Account) -> Void) { mine.performAndWait { _ in body(held.account) } }

    func theyEdit(_ body: (Account) -> Void) throws {
      try theirs.performAndWait { local in
        body(try local.context.account(id))
        try local.save()
      }
    }

    /// Their change, as a notification would bring it.
    func theyEditAndIMerge(_ body: (Account) -> Void) throws {
      mine.automaticallyMergesChangesFromParent = true
      try theyEdit(body)
      mine.performAndWait { _ in }
    }

    func save(_ policy: MergePolicy? = nil) throws {
      try mine.performAndWait { try $0.save(mergePolicy: policy) }
    }

    func stored<Value: Sendable>(_ read: @Sendable (Account) -> Value) throws -> Value {
      try kit.sibling("reader").performAndWait { read(try $0.context.account(id)) }
    }
  }

  @Test(arguments: Kit.Place.allCases)
  func `an edit whose property was merged from elsewhere is a conflict`(
    _ place: Kit.Place
  ) throws {
    let race = try Race(place)
    race.edit { $0.balance = 101 }
    try race.theyEditAndIMerge { $0.balance += 1_000 }
    race.edit { #expect($0.balance == 101) }
    let error = #expect(throws: CauldronError.self) { try race.save() }
    #expect(error?.code == .saveConflict && error?.property == "balance")
    let property = try #require(error?.conflicts.first?.properties.first)
    race.edit { #expect($0.conflicts.flatMap(\.properties) == [property]) }
    #expect(property.was == .integer(100))
    #expect(property.theirs == .integer(1_100))
    #expect(property.mine == .integer(101))
    #expect(try race.stored { $0.balance } == 1_100)
  }

  @Test func `an edit in an event in which others' change was taken in is a conflict`() throws {
    let race = try Race()
    race.mine.automaticallyMergesChangesFromParent = true
    race.mine.performAndWait { local in
      race.held.account.balance = 101
      #expect(throws: Never.self) { try race.theyEdit { $0.balance = 1_100 } }
      local.context.processPendingChanges()
      #expect(race.held.account.balance == 101)
    }
    #expect(throws: CauldronError.self) { try race.save() }
    #expect(try race.stored { $0.balance } == 1_100)
  }

  @Test func `equal changes of both sides are a conflict`() throws {
    let race = try Race()
    race.edit { $0.balance = 90 }
    try race.theyEditAndIMerge { $0.balance = 90 }
    #expect(throws: CauldronError.self) { try race.save() }
  }

  @Test(arguments: [false, true])
  func `properties that only others have changed are taken in`(_ merges: Bool) throws {
    let race = try Race(.file)
    race.edit { $0.balance = 101 }
    if merges {
      try race.theyEditAndIMerge { $0.owner = "b" }
      race.edit { #expect($0.owner == "b" && $0.balance == 101) }
    } else {
      try race.theyEdit { $0.owner = "b" }
    }
    try race.save()
    #expect(try race.stored { "\($0.owner) \($0.balance)" } == "b 101")
    race.edit { #expect($0.owner == "b" && $0.balance == 101) }
  }

  @Test func `a property edited after others' change was taken in is no conflict`() throws {
    let race = try Race()
    race.edit { $0.balance = 101 }
    try race.theyEditAndIMerge { $0.mark = 5 }
    race.edit { $0.mark += 1 }
    try race.save()
    #expect(try race.stored { "\($0.balance) \($0.mark)" } == "101 6")
  }

  @Test func `an edit stays in conflict when it is set back`() throws {
    let race = try Race()
    race.edit { $0.balance = 101 }
    try race.theyEditAndIMerge { $0.balance = 1_100 }
    race.edit { $0.balance = 100 }
    #expect(throws: CauldronError.self) { try race.save() }
    #expect(try race.stored { $0.balance } == 1_100)
  }

  @Test func `a refresh that keeps the edits ends the conflict, and so does a rollback`() throws {
    let race = try Race()
    race.edit { $0.balance = 101 }
    try race.theyEditAndIMerge { $0.balance = 1_100 }
    race.mine.performAndWait { $0.context.refresh(race.held.account, mergeChanges: true) }
    race.edit { #expect($0.balance == 101) }
    try race.save()
    #expect(try race.stored { $0.balance } == 101)
    race.edit { $0.balance = 7 }
    try race.theyEdit { $0.balance = 8 }
    race.mine.performAndWait { $0.context.rollback() }
    race.edit { #expect($0.balance == 8) }
  }

  @Test func `what others have saved refuses a push, also where somebody reads it anew`() throws {
    let kit = try Kit(.file)
    let id = try kit.store("a", balance: 100)[0]
    let (mine, theirs) = (kit.child(of: kit.root), kit.child(of: kit.root))
    let held = try mine.performAndWait { Held(try $0.context.account(id)) }
    _ = mine.performAndWait { _ in held.account.balance }
    try theirs.performAndWait { try $0.context.account(id).balance = 1_100 }
    try theirs.saveAndWait(toPersistentStore: true)
    let reader = kit.sibling()
    try reader.performAndWait { local in
      local.context.refresh(try local.context.account(id), mergeChanges: false)
    }
    mine.performAndWait { _ in held.account.balance += 1 }
    #expect(throws: CauldronError.self) { try mine.saveAndWait(toPersistentStore: false) }
    // The root never showed it.
    let probe = kit.child(of: kit.root)
    #expect(try probe.performAndWait { try $0.context.account(id).balance } == 1_100)
  }

  @Test func `what a child has pushed in the same turn is not overwritten`() throws {
    let kit = try Kit()
    let id = try kit.store("a", balance: 100)[0]
    let child = kit.child()
    let parent = kit.mainContext
    let error = kit.main.sync { () -> CauldronError? in
      do {
        let account = try parent.account(id)
        _ = account.balance
        try child.performAndWait { local in
          try local.context.account(id).balance = 1_100
          try local.save()
        }
        account.balance += 1
        try parent.save()
        return nil
      } catch { return error as? CauldronError }
    }
    #expect(error?.code == .saveConflict)
    #expect(error?.conflicts.first?.properties.first?.theirs == .integer(1_100))
  }

  @Test func `an edit of what others have deleted shows itself until the save tells`() throws {
    let race = try Race()
    race.edit { $0.balance = 101 }
    race.mine.automaticallyMergesChangesFromParent = true
    try race.theirs.performAndWait { local in
      local.delete(try local.context.account(race.id))
      try local.save()
    }
    race.edit { #expect($0.balance == 101 && !$0.isDeleted) }
    let error = #expect(throws: CauldronError.self) { try race.save() }
    #expect(error?.code == .saveConflict && error?.conflicts.first?.newVersion == 0)
    try race.save(.mergeByPropertyObjectTrump)
    #expect(try race.stored { $0.balance } == 101)
  }

  @Test func `the strict policy compares whole objects`() throws {
    let race = try Race(.file)
    race.edit { $0.balance = 101 }
    try race.theyEdit { $0.mark = 5 }
    let error = #expect(throws: CauldronError.self) { try race.save(.strict) }
    #expect(error?.conflicts.first?.properties.map(\.name) == ["mark"])
    try race.save(.error)
    #expect(try race.stored { "\($0.balance) \($0.mark)" } == "101 5")
  }

  @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump])
  func `the answer lists what the policy has kept or dropped`(_ policy: MergePolicy) throws {
    let race = try Race()
    race.edit {
      $0.balance = 101
      $0.mark = 1
    }
    try race.theyEdit { $0.balance = 1_100 }
    let outcome = try race.mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    guard case .saved(let summary) = outcome else { throw NoAccount() }
    let resolution = try #require(summary.resolutions.first)
    #expect(summary.resolutions.count == 1)
    #expect(resolution.objectID == race.id && resolution.property == "balance")
    #expect(resolution.was == .integer(100) && resolution.theirs == .integer(1_100))
    let isMine = policy == .mergeByPropertyObjectTrump
    #expect(resolution.outcome == (isMine ? .keptMine : .tookTheirs))
    #expect(try race.stored { "\($0.balance) \($0.mark)" } == (isMine ? "101 1" : "1100 1"))
  }

  @Test func `own edits that a child's push has parted share one verdict`() throws {
    let kit = try Kit(.file)
    let ids = try kit.store("a", "b", balance: 100)
    let parent = kit.sibling("parent")
    let child = kit.child("child", of: parent)
    let beside = kit.sibling("beside")
    try parent.performAndWait { try $0.context.account(ids[0]).balance -= 10 }
    child.add("c")
    try child.performAndWait { try $0.save() }
    try parent.performAndWait { try $0.context.account(ids[1]).balance += 10 }
    try beside.performAndWait { local in
      try local.context.account(ids[1]).balance = 5
      try local.save()
    }
    #expect(throws: CauldronError.self) {
      try parent.saveAndWait(toPersistentStore: true)
    }
    let reader = kit.sibling("reader")
    #expect(try reader.performAndWait { try $0.context.account(ids[0]).balance } == 100)
    #expect(try reader.performAndWait { try Account.owners(in: $0) } == ["a", "b", "c"])
  }
}
