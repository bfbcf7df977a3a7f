import Cauldron
import Dispatch
import TestSupport
import Testing

/// What a merge policy decides at the store is shown by the contexts that were saved, at return.
@Suite(.againstHanging) struct DecidedSaveTests {
  /// Which context has the edit: the main one, or a child of it.
  enum Saved: CaseIterable, Sendable { case main, sheet, claimed }

  private struct Scene {
    let bench: Bench
    let main: ManagedObjectContext
    let context: ManagedObjectContext
    let shown: Person
    let saved: Person

    /// A person whose name another process has changed since the main context read it.
    init(_ bench: Bench, _ which: Saved) throws {
      self.bench = bench
      main = bench.mainContext
      shown = Person.named("old", in: main)
      try main.saveAndWait(toPersistentStore: true)
      switch which {
      case .main: context = main
      case .sheet: context = ManagedObjectContext(.main, parent: main, name: "Sheet")
      case .claimed: context = bench.child("Claimed", of: main)
      }
      saved = which == .main ? shown : shown.in(context)
      #expect(saved.name == "old")
      let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
      #expect(other.run("UPDATE ZPERSON SET ZNAME = 'theirs', Z_OPT = Z_OPT + 1"))
      saved.name = "mine"
    }

    func check() throws {
      #expect(saved.name == "theirs" && shown.name == "theirs")
      saved.name += "!"
    }
  }

  @Test(arguments: StackLayout.allCases, Saved.allCases)
  func `saveAndWait shows it`(_ layout: StackLayout, _ which: Saved) throws {
    let bench = try Bench(.file) { $0.layout = layout }
    try bench.onMain { _ in
      let scene = try Scene(bench, which)
      try scene.context.saveAndWait(
        toPersistentStore: true, mergePolicy: .mergeByPropertyStoreTrump)
      try scene.check()
      try scene.context.saveAndWait(toPersistentStore: true)
    }
    #expect(try Person.names(in: bench.committed()) == ["theirs!"])
  }

  @Test(arguments: StackLayout.allCases, [Saved.main, .sheet]) @MainActor
  func `await save shows it`(_ layout: StackLayout, _ which: Saved) async throws {
    for _ in 1...5 {
      let bench = try Bench(.file) { ($0.mainQueue, $0.layout) = (.main, layout) }
      let scene = try make(bench, which)
      try await scene.context.save(toPersistentStore: true, mergePolicy: .mergeByPropertyStoreTrump)
      try scene.check()
      try await scene.context.save(toPersistentStore: true)
      #expect(try Person.names(in: bench.committed()) == ["theirs!"])
    }
  }

  @MainActor private func make(_ bench: Bench, _ which: Saved) throws -> Scene {
    try Scene(bench, which)
  }

  @Test(arguments: StackLayout.allCases)
  func `what the store refused is unsaved again when saveAndWait throws`(
    _ layout: StackLayout
  ) throws {
    let bench = try Bench(.file) { $0.layout = layout }
    try bench.onMain { main in
      let scene = try Scene(bench, .main)
      let error = cauldronError { try main.saveAndWait(toPersistentStore: true) }
      #expect(error?.code == .saveConflict)
      #expect(scene.saved.isUpdated && scene.saved.name == "mine")
      #expect(scene.saved.changedValues().keys.sorted() == ["name"])
      #expect(main.updatedObjects == [scene.saved])
    }
  }
}
