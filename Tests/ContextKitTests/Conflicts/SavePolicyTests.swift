import Cauldron
import CauldronModel
import TestSupport
import Testing

/// A save may bring its own merge policy, which holds at every level, for its own changes alone.
@Suite(.againstHanging) struct SavePolicyTests {
  /// How a save is asked for.
  enum Form: CaseIterable, Sendable { case completion, andWait, async }

  /// Saves to the store with a policy of the save's own.
  private func save(
    _ context: ManagedObjectContext, _ policy: MergePolicy?, _ form: Form
  ) async throws {
    switch form {
    case .async: try await context.save(toPersistentStore: true, mergePolicy: policy)
    case .andWait:
      try await onThread { try context.saveAndWait(toPersistentStore: true, mergePolicy: policy) }
    case .completion:
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        context.save(toPersistentStore: true, mergePolicy: policy) { _, error in
          if let error { done.resume(throwing: error) } else { done.resume() }
        }
      }
    }
  }

  private func edit(
    _ context: ManagedObjectContext, _ id: ManagedObjectID, balance: Int
  ) throws {
    try context.performAndWait { try $0.context.account(id).balance = balance }
  }

  /// Saves into the parent, or into the store.
  private func saveLevel(_ context: ManagedObjectContext) throws {
    try context.performAndWait { try $0.save() }
  }

  private func stored(_ kit: Kit, _ id: ManagedObjectID) throws -> Int {
    try kit.sibling("reader").performAndWait { try $0.context.account(id).balance }
  }

  @Test(arguments: Form.allCases, [MergePolicy.overwrite, .rollback, nil])
  func `a conflict with the parent is decided by the policy of the save`(
    _ form: Form, _ policy: MergePolicy?
  ) async throws {
    let kit = try Kit()
    let id = try kit.store("a", balance: 1)[0]
    let (one, two) = (kit.child("one"), kit.child("two"))
    try edit(two, id, balance: 3)
    try edit(one, id, balance: 2)
    try saveLevel(one)
    if let policy {
      try await save(two, policy, form)
      #expect(try stored(kit, id) == (policy == .overwrite ? 3 : 2))
    } else {
      let error = await #expect(throws: CauldronError.self) { try await save(two, nil, form) }
      #expect(error?.code == .saveConflict && error?.contextName == "two")
    }
    // It held for that save alone.
    #expect(two.mergePolicy == .error)
  }

  @Test(arguments: Form.allCases, [MergePolicy.overwrite, .rollback, nil])
  func `a conflict with the store is decided by the policy of the save`(
    _ form: Form, _ policy: MergePolicy?
  ) async throws {
    let kit = try Kit(.file)
    let id = try kit.store("a", balance: 1)[0]
    let child = kit.child("child")
    try edit(child, id, balance: 3)
    let beside = kit.sibling("beside")
    try edit(beside, id, balance: 2)
    try saveLevel(beside)
    if let policy {
      try await save(child, policy, form)
      #expect(try stored(kit, id) == (policy == .overwrite ? 3 : 2))
    } else {
      let error = await #expect(throws: CauldronError.self) { try await save(child, nil, form) }
      #expect(error?.code == .saveConflict)
      #expect(try stored(kit, id) == 2)
    }
    #expect(kit.root.mergePolicy == .error)
  }

  @Test func `a save that goes one level up brings its policy to the next save`() throws {
    let kit = try Kit()
    let id = try kit.store("a", balance: 1)[0]
    let (child, beside) = (kit.child("child", of: kit.root), kit.sibling("beside"))
    try edit(child, id, balance: 3)
    try child.performAndWait { try $0.save(mergePolicy: .mergeByPropertyObjectTrump) }
    try edit(beside, id, balance: 2)
    try saveLevel(beside)
    try kit.root.saveAndWait(toPersistentStore: true)
    #expect(try stored(kit, id) == 3)
  }

  @Test func `the policy of a save does not decide about the changes of others`() async throws {
    let kit = try Kit()
    let ids = try kit.store("a", "b", balance: 1)
    let (mine, other) = (kit.child("mine", of: kit.root), kit.child("other", of: kit.root))
    let beside = kit.sibling("beside")
    try edit(mine, ids[0], balance: 3)
    try edit(other, ids[1], balance: 3)
    try saveLevel(other)
    for id in ids { try edit(beside, id, balance: 2) }
    try saveLevel(beside)
    // The same commit writes both, and gives the other one back.
    try await mine.save(toPersistentStore: true, mergePolicy: .overwrite)
    #expect(try stored(kit, ids[0]) == 3)
    #expect(try stored(kit, ids[1]) == 2)
    #expect(await other.perform { $0.hasChanges })
  }

  @Test func `the policy of a save wins over that of the context, in both directions`() throws {
    let kit = try Kit()
    let id = try kit.store("a", balance: 1)[0]
    let (one, two) = (kit.child("one"), kit.child("two"))
    two.mergePolicy = .overwrite
    try edit(two, id, balance: 3)
    try edit(one, id, balance: 2)
    try saveLevel(one)
    let error = #expect(throws: CauldronError.self) {
      try two.performAndWait { try $0.save(mergePolicy: .error) }
    }
    #expect(error?.code == .saveConflict)
    try saveLevel(two)
    try kit.saveMain()
    #expect(try stored(kit, id) == 3)
  }

  @Test(arguments: Form.allCases)
  func `a save block may bring a policy`(_ form: Form) async throws {
    let kit = try Kit(.file)
    let (id, stack) = (try kit.store("a", balance: 1)[0], kit.stack)
    let beside = kit.sibling("beside")
    // Reads the account, and is overtaken by a context on the store.
    let block: @Sendable (LocalContext) -> Void = { local in
      do {
        try local.context.account(id).balance = 3
        try edit(beside, id, balance: 2)
        try saveLevel(beside)
      } catch { Issue.record(error) }
    }
    switch form {
    case .async: try await stack.save(mergePolicy: .overwrite, block)
    case .andWait: try await onThread { try stack.saveAndWait(mergePolicy: .overwrite, block) }
    case .completion:
      let didSave = await withCheckedContinuation { done in
        stack.save(mergePolicy: .overwrite, block) { didSave, _ in done.resume(returning: didSave) }
      }
      #expect(didSave)
    }
    #expect(try stored(kit, id) == 3)
  }

  @Test func `an object saves its context with a policy`() async throws {
    let kit = try Kit()
    let id = try kit.store("a", balance: 1)[0]
    let beside = kit.sibling("beside")
    let child = kit.child()
    try edit(child, id, balance: 3)
    try edit(beside, id, balance: 2)
    try saveLevel(beside)
    let didSave = try await withCheckedThrowingContinuation { done in
      child.perform { local in
        do {
          try local.context.account(id).save(
            toPersistentStore: true, mergePolicy: .overwrite
          ) { didSave, _ in done.resume(returning: didSave) }
        } catch { done.resume(throwing: error) }
      }
    }
    #expect(didSave)
    #expect(try stored(kit, id) == 3)
  }
}

/// Runs a block on a thread of its own, outside any task.
private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
  try await finishes(body)
}
