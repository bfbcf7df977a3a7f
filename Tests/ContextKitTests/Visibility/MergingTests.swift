import Cauldron
import CauldronModel
import TestSupport
import Testing

/// What `mergeChanges(fromContextDidSave:)` takes in, and what it ignores.
@Suite(.againstHanging) struct MergingTests {
  /// The changes that a context announces while a block runs.
  private func changes(
    of context: ManagedObjectContext, _ body: () throws -> Void
  ) rethrows -> [ContextChange] {
    let all = Locked<[ContextChange]>([])
    let observation = context.observe { change in all.withLock { $0.append(change) } }
    defer { observation.cancel() }
    try body()
    return all.withLock { $0 }
  }

  private func rename(
    _ id: ManagedObjectID, to owner: String, in context: ManagedObjectContext
  ) throws -> ContextChange {
    let saves = try changes(of: context) {
      try context.performAndWait { local in
        try local.context.account(id).owner = owner
        try local.save()
      }
    }.filter { $0.kind == .didSave }
    return try #require(saves.first)
  }

  @Test func `a sibling's save is taken in, and unsaved edits stay on top`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let (mine, other) = (kit.sibling("mine"), kit.sibling("other"))
    let held = try mine.performAndWait { local in
      let account = try local.context.account(id)
      account.balance = 7
      return Held(account)
    }
    let change = try rename(id, to: "b", in: other)
    mine.mergeChanges(fromContextDidSave: change)
    mine.performAndWait { _ in
      #expect(held.account.owner == "b")
      #expect(held.account.balance == 7)
    }
    // What was merged is the new base: nothing conflicts.
    try mine.performAndWait { try $0.save() }
    #expect(try kit.sibling().performAndWait { try $0.context.account(id).balance } == 7)
  }

  @Test func `on the context's own queue the merge is done at return`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let (mine, other) = (kit.sibling("mine"), kit.sibling("other"))
    let held = try mine.performAndWait { Held(try $0.context.account(id)) }
    let change = try rename(id, to: "b", in: other)
    mine.performAndWait { local in
      #expect(held.account.owner == "a")
      local.context.mergeChanges(fromContextDidSave: change)
      #expect(held.account.owner == "b")
    }
  }

  @Test func `the context's own save is ignored`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let mine = kit.sibling("mine")
    let change = try rename(id, to: "b", in: mine)
    let told = changes(of: mine) {
      mine.mergeChanges(fromContextDidSave: change)
      mine.performAndWait { _ in }
    }
    #expect(told.isEmpty)
  }

  @Test func `the save of a context that has gone is taken in by later ones, wherever these lie`()
    throws
  {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    for number in 0..<50 {
      // A context that is made after another one has gone mostly gets its memory.
      let change = try rename(id, to: "\(number)", in: kit.sibling("gone"))
      let mine = kit.sibling("mine")
      let told = changes(of: mine) {
        mine.mergeChanges(fromContextDidSave: change)
        mine.performAndWait { _ in }
      }
      #expect(told.map(\.kind) == [.didMerge])
    }
  }

  @Test func `a save on another store is ignored, although the keys are the same`() throws {
    let (kit, foreign) = (try Kit(), try Kit())
    let (id, other) = (try kit.store("a")[0], try foreign.store("x")[0])
    #expect(id.key == other.key)
    let mine = kit.sibling("mine")
    let held = try mine.performAndWait { Held(try $0.context.account(id)) }
    let change = try rename(other, to: "y", in: foreign.sibling())
    let told = changes(of: mine) {
      mine.mergeChanges(fromContextDidSave: change)
      mine.performAndWait { _ in #expect(held.account.owner == "a") }
    }
    #expect(told.isEmpty)
  }

  @Test func `a deleted object is gone after the merge`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    let (mine, other) = (kit.sibling("mine"), kit.sibling("other"))
    let held = try mine.performAndWait { Held(try $0.context.account(id)) }
    let saves = try changes(of: other) {
      try other.performAndWait { local in
        local.delete(try local.context.account(id))
        try local.save()
      }
    }.filter { $0.kind == .didSave }
    mine.mergeChanges(fromContextDidSave: try #require(saves.first))
    mine.performAndWait { _ in #expect(held.account.isDeleted) }
    #expect(try mine.performAndWait { try Account.owners(in: $0) } == [])
  }

  @Test func `a change tells of rows that no context has registered`() throws {
    let kit = try Kit()
    let id = try kit.store("a")[0]
    var change: ContextChange?
    let told = try changes(of: kit.mainContext) {
      change = try rename(id, to: "b", in: kit.child("other", of: kit.root))
      kit.onMain { $0.processPendingChanges() }
    }
    #expect(kit.onMain { $0.registeredObject(for: id) } == nil)
    #expect(change?.updated == [id])
    #expect(change?.changedProperties(of: id) == ["owner"])
    #expect(told.contains { $0.kind == .didMerge && $0.updated == [id] })
  }
}
