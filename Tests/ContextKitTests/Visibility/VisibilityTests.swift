import Cauldron
import Dispatch
import Foundation
import Logging
import TestSupport
import Testing

/// Who sees a change, and from which moment on.
@Suite(.againstHanging) struct VisibilityTests {
  @Test func `a child's change is known to nobody before its save`() throws {
    let kit = try Kit()
    let child = kit.child()
    child.add("a")
    #expect(try child.performAndWait { try Account.owners(in: $0) } == ["a"])
    #expect(try kit.onMain { try Account.owners(in: $0) } == [])
    #expect(try kit.root.performAndWait { try Account.owners(in: $0) } == [])
    #expect(try kit.stored() == [])
    #expect(!kit.onMain { $0.hasChanges })
  }

  @Test func `after a child's save its parent knows, and neither the root nor the store does`()
    throws
  {
    let kit = try Kit()
    let child = kit.child()
    child.add("a")
    try child.performAndWait { try $0.save() }
    #expect(try kit.onMain { try Account.owners(in: $0) } == ["a"])
    #expect(kit.onMain { $0.hasChanges })
    #expect(!child.performAndWait { $0.hasChanges })
    #expect(try kit.root.performAndWait { try Account.owners(in: $0) } == [])
    #expect(try kit.stored() == [])
  }

  @Test func `after the root's save a new stack on the file sees the change`() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("store.sqlite")
    let model = try ManagedObjectModel(Account.self)
    let main = DispatchQueue(label: "main")
    var configuration = StackConfiguration()
    configuration.mainQueue = main
    configuration.logger = Logger(label: "kit") { _ in SwiftLogNoOpLogHandler() }
    let stack = try Stack(storeURL: url, model: model, configuration: configuration)
    let child = ManagedObjectContext(.private, parent: stack.defaultContext)
    child.add("a")
    try child.performAndWait { try $0.save() }
    try main.sync { try stack.defaultContext.save() }
    let beside = ManagedObjectContext(.private, coordinator: stack.coordinator)
    #expect(try beside.performAndWait { try Account.owners(in: $0) } == [])
    try stack.rootSavingContext.performAndWait { try $0.save() }
    #expect(try beside.performAndWait { try Account.owners(in: $0) } == ["a"])
    try stack.close()

    let second = try Stack(storeURL: url, model: model, configuration: configuration)
    #expect(try main.sync { try Account.owners(in: second.defaultContext) } == ["a"])
    try second.close()
  }

  @Test func `a child reads its ancestors' unsaved changes`() throws {
    let kit = try Kit()
    kit.onMain { main in
      Account.named("a", in: main)
      main.processPendingChanges()
    }
    let child = kit.child("child", of: kit.child("parent"))
    #expect(try child.performAndWait { try Account.owners(in: $0) } == ["a"])
  }

  @Test func `a child does not see its parent's later change until it merges`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let child = kit.child()
    let held = try child.performAndWait { Held(try $0.context.account(id)) }
    try kit.onMain { main in
      try main.account(id).owner = "b"
      main.processPendingChanges()
    }
    child.performAndWait { _ in #expect(held.account.owner == "a") }
    // A new fetch finds it by its new value, but an object that is registered stays as it is.
    child.performAndWait { local in
      local.context.refresh(held.account, mergeChanges: true)
      #expect(held.account.owner == "b")
    }
  }

  @Test func `a child that merges by itself takes in what a sibling has saved`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let (merging, other) = (kit.child("merging"), kit.child("other"))
    merging.automaticallyMergesChangesFromParent = true
    let held = try merging.performAndWait { local in
      let account = try local.context.account(id)
      account.balance = 7
      return Held(account)
    }
    try other.performAndWait { local in
      try local.context.account(id).owner = "b"
      try local.save()
    }
    merging.performAndWait { _ in
      #expect(held.account.owner == "b")
      // The unsaved edit stays on top.
      #expect(held.account.balance == 7)
      #expect(held.account.hasChanges)
    }
  }

  @Test func `a context that does not merge keeps what it has read`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let (still, other) = (kit.sibling("still"), kit.sibling("other"))
    let held = try still.performAndWait { Held(try $0.context.account(id)) }
    try other.performAndWait { local in
      try local.context.account(id).owner = "b"
      try local.save()
    }
    still.performAndWait { _ in #expect(held.account.owner == "a") }
  }

  @Test func `a session that is thrown away leaves nothing behind`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    do {
      let session = kit.child("session")
      try session.performAndWait { local in
        try local.context.account(id).owner = "b"
        Account.named("c", in: local.context)
      }
    }
    #expect(try kit.onMain { try Account.owners(in: $0) } == ["a"])
    #expect(!kit.onMain { $0.hasChanges })
  }

  @Test func `a push outlives the context that made it`() throws {
    let kit = try Kit()
    do {
      let session = kit.child("session", of: kit.child("between"))
      session.add("a")
      try session.performAndWait { try $0.save() }
    }
    // "between" is gone as well; what was pushed into it has moved on to the main context.
    #expect(try kit.onMain { try Account.owners(in: $0) } == ["a"])
  }

  @Test func `an object's ID stays the same in the child after the root has saved`() throws {
    let kit = try Kit()
    let child = kit.child()
    let held = child.performAndWait { Held(Account.named("a", in: $0.context)) }
    let id = child.performAndWait { _ in held.account.objectID }
    #expect(!id.isTemporaryID)
    try child.saveAndWait(toPersistentStore: true)
    #expect(!id.isTemporaryID)
    #expect(child.performAndWait { _ in held.account.objectID } == id)
    #expect(try kit.sibling().performAndWait { try $0.context.account(id).owner } == "a")
  }

  @Test func `unsaved objects are found in an ancestor's descendant by their ID`() throws {
    let kit = try Kit()
    let id = kit.onMain { main in
      let account = Account.named("a", in: main)
      main.processPendingChanges()
      return account.objectID
    }
    #expect(try kit.child().performAndWait { try $0.context.account(id).owner } == "a")
    let error = #expect(throws: CauldronError.self) {
      try kit.sibling().performAndWait { _ = try $0.context.account(id) }
    }
    #expect(error?.code == .objectNotFound)
  }
}

/// Keeps an object between two blocks of its context.
///
/// `@unchecked Sendable` because it is only used in the context's blocks.
struct Held: @unchecked Sendable {
  let account: Account

  init(_ account: Account) { self.account = account }
}
