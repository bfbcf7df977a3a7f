import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Hooks that change objects while a save asks them.
@Suite(.againstHanging) struct HookRoundTests {
  @Test(arguments: ["insert", "update"])
  func `an object that sets what it has already is refused all the same`(hook: String) throws {
    let bench = try Trial.bench()
    let context = bench.child()
    let trial = hook == "insert" ? Trial.create(in: context) : try Trial.saved("a", in: context)
    trial.name = "jack"
    trial.on(hook) { trial in
      trial.name += " "
      trial.name = "jack"
      throw Trial.refusal
    }
    #expect(cauldronError { try context.save() }?.message == "This trial is refused.")
    #expect(!bench.isDirty(bench.root) && context.hasChanges)
  }

  @Test func `what is changed before a hook reads is validated again`() throws {
    let context = try Trial.bench().child()
    let trial = try Trial.saved("a", in: context)
    trial.name = "raw"
    trial.on("update") { trial in
      if trial.name == "bad" { throw Trial.refusal }
      trial.name = "bad"
      _ = try Trial.count(in: context)
    }
    #expect(cauldronError { try context.save() }?.message == "This trial is refused.")
  }

  @Test func `what a hook's deletion takes along is asked`() throws {
    let context = try Trial.bench().child()
    let (trial, owner) = (try Trial.saved("a", in: context), try Trial.saved("b", in: context))
    let part = try Trial.saved("c", in: context)
    part.owner = owner
    try context.save()
    part.on("delete") { _ in throw Trial.refusal }
    trial.name = "x"
    trial.on("update") { _ in owner.delete() }
    #expect(cauldronError { try context.save() }?.objectIDs == [part.objectID])
  }

  @Test func `what a hook's deletion clears is asked`() throws {
    let context = try Trial.bench().child()
    let (trial, leader) = (try Trial.saved("a", in: context), try Trial.saved("b", in: context))
    let follower = try Trial.saved("c", in: context)
    follower.leader = leader
    try context.save()
    follower.on("update") { if $0.leader == nil { throw Trial.refusal } }
    trial.name = "x"
    trial.on("update") { _ in leader.delete() }
    #expect(cauldronError { try context.save() }?.objectIDs == [follower.objectID])
  }

  @Test func `what is gone is not refused any more`() throws {
    let bench = try Trial.bench()
    let context = bench.child()
    let (bad, judge) = (Trial.create(in: context), Trial.create(in: context))
    bad.on("insert") { _ in throw Trial.refusal }
    judge.on("insert") { _ in bad.delete() }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Trial.count(in: bench.committed()) == 1)
  }

  @Test func `a part of what is gone is not refused any more`() throws {
    let bench = try Trial.bench()
    let context = bench.child()
    let (owner, bad, judge) = (
      Trial.create(in: context), Trial.create(in: context), Trial.create(in: context)
    )
    bad.owner = owner
    bad.on("insert") { _ in throw Trial.refusal }
    judge.on("insert") { _ in owner.delete() }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Trial.count(in: bench.committed()) == 1)
  }

  @Test func `willSave is told of what a deletion in it takes along`() throws {
    let context = try Trial.bench().child()
    let (trial, owner) = (try Trial.saved("a", in: context), try Trial.saved("b", in: context))
    let part = try Trial.saved("c", in: context)
    part.owner = owner
    try context.save()
    let diary = Diary()
    part.on("willSave") { diary.entries.append("\($0.isDeleted)") }
    trial.name = "x"
    trial.on("willSave") { _ in owner.delete() }
    try context.save()
    #expect(diary.entries == ["true"])
  }

  @Test func `willSave that changes and then reads is called again`() throws {
    let context = try Trial.bench().child()
    let trial = try Trial.saved("a", in: context)
    trial.name = "x"
    let diary = Diary()
    trial.on("willSave") { trial in
      diary.entries.append(trial.name)
      guard trial.name == "x" else { return }
      trial.name = "y"
      _ = try Trial.count(in: context)
    }
    try context.save()
    #expect(diary.entries == ["x", "y"])
  }

  @Test func `what main's hook writes before it reads keeps the rules, or stays there`()
    async throws
  {
    let bench = try Trial.bench(.file)
    let child = bench.child("Child", of: bench.mainContext)
    let id = try await child.perform { try Trial.saved("a", in: $0.context).objectID }
    try bench.onMain { main in
      try Trial.find(id, in: main)?.on("update") { trial in
        guard trial.size == 0 else { return }
        trial.size = 99
        _ = try Trial.count(in: main)
      }
    }
    try await child.perform { try Trial.find(id, in: $0)?.name = "b" }
    try await child.save(toPersistentStore: true)
    let stored = try #require(try Trial.findFirst(in: bench.committed()))
    #expect(stored.name == "b" && stored.size == 0)
    #expect(bench.isDirty(bench.mainContext))
    let error = bench.onMain { main in cauldronError { try main.save() } }
    #expect(error?.code == .validationTooLarge)
  }
}
