import Cauldron
import CauldronModel
import Dispatch
import TestSupport
import Testing

/// A save that passes through a context is a moment at which its objects change, also if the context
/// is in the middle of an event.
@Suite(.againstHanging) struct NestedSaveTests {
  /// What a context tells of changed objects while a block runs.
  private func changes(
    of context: ManagedObjectContext, _ body: () throws -> Void
  ) rethrows -> [ContextChange] {
    let all = Locked<[ContextChange]>([])
    let observation = context.observe { change in
      if change.kind == .objectsDidChange { all.withLock { $0.append(change) } }
    }
    defer { observation.cancel() }
    try body()
    return all.withLock { $0 }
  }

  @Test(arguments: Kit.Place.allCases)
  func `a child's save to the store, nested in main's block, leaves main's objects fresh`(
    _ place: Kit.Place
  ) throws {
    let kit = try Kit(place)
    let id = try kit.store("old", balance: 1)[0]
    let main = kit.mainContext
    try kit.main.sync {
      let account = Held(try main.account(id))
      #expect(account.account.owner == "old")
      try main.performAndWait { _ in
        let child = kit.child()
        try child.performAndWait { try $0.context.account(id).owner = "new" }
        let told = try changes(of: main) { try child.saveAndWait(toPersistentStore: true) }
        #expect(account.account.owner == "new" && account.account.balance == 1)
        #expect(told.flatMap(\.updated) == [id])
      }
      #expect(account.account.owner == "new" && !main.hasChanges)
    }
    #expect(try kit.stored() == ["new"])
  }

  @Test(arguments: Kit.Place.allCases)
  func `it leaves what main's block has edited itself as it is`(_ place: Kit.Place) throws {
    let kit = try Kit(place)
    let id = try kit.store("old", balance: 1)[0]
    let main = kit.mainContext
    try kit.main.sync {
      try main.performAndWait { local in
        let account = Held(try main.account(id))
        account.account.balance = 2
        let child = kit.child()
        try child.performAndWait { try $0.context.account(id).owner = "new" }
        try child.saveAndWait(toPersistentStore: true)
        #expect(account.account.owner == "new" && account.account.balance == 2)
      }
    }
    #expect(try kit.stored() == ["new"])
  }
}
