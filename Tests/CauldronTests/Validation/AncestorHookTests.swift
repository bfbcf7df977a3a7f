import Cauldron
import CauldronModel
import TestSupport
import Testing

/// What the hooks of main's objects say to what children bring.
@Suite(.againstHanging) struct AncestorHookTests {
  private func saved(_ bench: Bench) async throws -> (ManagedObjectContext, ManagedObjectID) {
    let child = bench.child("Child", of: bench.mainContext)
    let id = try await child.perform { try Trial.saved("a", in: $0.context).objectID }
    return (child, id)
  }

  /// Has main refuse the object where a test says so.
  private func refuse(
    _ id: ManagedObjectID, _ hooks: String, in context: ManagedObjectContext,
    _ test: @escaping @Sendable (Trial) -> Bool
  ) {
    context.performAndWait { context in
      try? Trial.find(id, in: context)?.on(hooks) { if test($0) { throw Trial.refusal } }
    }
  }

  @Test(arguments: ["update", "name"])
  func `what a child brings of an object that main has edited is refused there`(hook: String)
    async throws
  {
    let bench = try Trial.bench(.file)
    let (child, id) = try await saved(bench)
    refuse(id, hook, in: bench.mainContext) { $0.name == "refused" }
    bench.onMain { main in try? Trial.find(id, in: main)?.size = 1 }
    try await child.perform { try Trial.find(id, in: $0)?.name = "refused" }
    let error = await #expect(throws: CauldronError.self) {
      try await child.save(toPersistentStore: true)
    }
    #expect(error?.message == "This trial is refused." && error?.objectIDs == [id])
    #expect(try Trial.findFirst(in: bench.committed())?.name == "a")
    try await child.perform { try Trial.find(id, in: $0)?.name = "b" }
    try await child.save(toPersistentStore: true)
    let stored = try #require(try Trial.findFirst(in: bench.committed()))
    #expect(stored.name == "b" && stored.size == 1)
  }

  @Test func `a bad edit of main's own is not the child's fault`() async throws {
    let bench = try Trial.bench(.file)
    let (child, id) = try await saved(bench)
    refuse(id, "update", in: bench.mainContext) { $0.size == 5 }
    bench.onMain { main in try? Trial.find(id, in: main)?.size = 5 }
    try await child.perform { try Trial.find(id, in: $0)?.name = "b" }
    try await child.save(toPersistentStore: true)
    let stored = try #require(try Trial.findFirst(in: bench.committed()))
    #expect(stored.name == "b" && stored.size == 0)
    bench.onMain { main in
      #expect((try? Trial.find(id, in: main))?.size == 5)
      #expect(cauldronError { try main.save() }?.message == "This trial is refused.")
    }
  }

  @Test func `what a hook does to an object without its own edits is forgotten`() async throws {
    let bench = try Trial.bench(.file)
    let (child, id) = try await saved(bench)
    bench.onMain { main in
      let trial = try? Trial.find(id, in: main)
      trial?.on("update") { trial in
        if trial.size == 5 { throw Trial.refusal }
        trial.size = 6
        _ = try Trial.count(in: main)
        trial.delete()
      }
      trial?.size = 5
    }
    try await child.perform { try Trial.find(id, in: $0)?.name = "b" }
    try await child.save(toPersistentStore: true)
    let stored = try #require(try Trial.findFirst(in: bench.committed()))
    #expect(stored.name == "b" && stored.size == 0)
    bench.onMain { main in
      let trial = try? Trial.find(id, in: main)
      #expect(trial?.size == 5 && trial?.name == "b" && trial?.isDeleted == false)
    }
  }

  @Test func `only the newest save that touched the object is refused`() async throws {
    let bench = try Trial.bench(.file)
    let (first, id) = try await saved(bench)
    let second = bench.child("Second", of: bench.mainContext)
    refuse(id, "update", in: bench.mainContext) { $0.size > 5 }
    try await first.perform { context in
      try Trial.find(id, in: context)?.name = "fine"
      try context.save()
    }
    try await second.perform { try Trial.find(id, in: $0)?.size = 7 }
    let error = await #expect(throws: CauldronError.self) {
      try await second.save(toPersistentStore: true)
    }
    #expect(error?.message == "This trial is refused.")
    let stored = try #require(try Trial.findFirst(in: bench.committed()))
    #expect(stored.name == "fine" && stored.size == 0)
    #expect(bench.isDirty(second) && !bench.isDirty(first))
  }

  @Test func `a property is refused to the save that has changed it`() async throws {
    let bench = try Trial.bench(.file)
    let (first, id) = try await saved(bench)
    let second = bench.child("Second", of: bench.mainContext)
    refuse(id, "size", in: bench.mainContext) { $0.size > 5 }
    try await first.perform { context in
      try Trial.find(id, in: context)?.size = 7
      try context.save()
    }
    try await second.perform { try Trial.find(id, in: $0)?.name = "fine" }
    try await second.save(toPersistentStore: true)
    let stored = try #require(try Trial.findFirst(in: bench.committed()))
    #expect(stored.name == "fine" && stored.size == 0)
    #expect(bench.isDirty(first) && !bench.isDirty(second))
  }

  @Test func `what a later save deletes is not asked about its insertion`() async throws {
    let bench = try Trial.bench(.file)
    let (first, second) = (
      bench.child("First", of: bench.mainContext), bench.child("Second", of: bench.mainContext)
    )
    let id = try await first.perform { context in
      let trial = Trial.create(in: context)
      try context.save()
      return trial.objectID
    }
    refuse(id, "insert", in: bench.mainContext) { _ in true }
    try await second.perform { context in
      try Trial.find(id, in: context)?.delete()
      _ = Trial.create(in: context)
    }
    try await second.save(toPersistentStore: true)
    #expect(try Trial.count(in: bench.committed()) == 1)
    #expect(!bench.isDirty(first))
  }

  @Test(arguments: ["Default Context", "Root Saving Context"])
  func `what comes in while a level saves is not handed on unasked`(level: String) async throws {
    let bench = try Trial.bench(.file)
    let (child, id) = try await saved(bench)
    let parent = level == "Default Context" ? bench.mainContext : bench.root
    let late = bench.child("Late", of: parent)
    refuse(id, "update", in: parent) { $0.size > 5 }
    let isDone = Locked(false)
    bench.log.onLine { line in
      guard line.message.hasPrefix("→ Saving"), line.message.contains(": \(level)>"),
        !isDone.withLock({ done in
          defer { done = true }
          return done
        })
      else { return }
      late.performAndWait { context in
        try? Trial.find(id, in: context)?.size = 7
        try? context.save()
      }
    }
    await child.perform { _ = Trial.create(in: $0) }
    try await child.save(toPersistentStore: true)
    #expect(isDone.withLock { $0 })
    #expect(try Trial.count(where: \.size == 7, in: bench.committed()) == 0)
    #expect(try Trial.count(in: bench.committed()) == 2)
    _ = try? await parent.save(toPersistentStore: true)
    #expect(try Trial.count(where: \.size == 7, in: bench.committed()) == 0)
    #expect(bench.isDirty(late))
  }
}
