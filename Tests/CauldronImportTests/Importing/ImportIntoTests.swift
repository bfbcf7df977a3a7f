import Cauldron
import Foundation
import Testing

/// Records that are imported into an object that is known.
@Suite struct ImportIntoTests {
  /// Does something with a land that the store has, in a context of its own.
  private func land(
    _ body: @escaping @Sendable (Land, LocalContext) throws -> Void
  ) async throws {
    let atlas = try Atlas()
    try await atlas.load(
      #"[{"alpha_2": "DE", "name": "Germany"}, {"alpha_2": "FR", "name": "France"}]"#)
    let context = ManagedObjectContext.contextWithParent(atlas.stack.rootSavingContext)
    try await context.perform { context in
      try body(#require(try Land.findFirst(\.code, "DE", in: context)), context)
    }
    let stored = try await atlas.land("DE")
    withExtendedLifetime(context) { #expect(stored == "Germany 1.0 [] () -") }
  }

  @Test func `no key is needed, and the object has what the record says`() async throws {
    try await land { land, context in
      let record: [String: Any] = ["population": 83, "speaks": ["deu"], "subdivisions": ["a"]]
      let isDone = try land.importValues(from: record)
      #expect(isDone && land.population == 83 && land.languages.map(\.code) == ["deu"])
      #expect(land.name == "Germany" && land.hasChanges)
    }
  }

  @Test func `a record may change the key, but not to one that is taken`() async throws {
    try await land { land, context in
      let isMoved = try land.importValues(from: ["alpha_2": "DD"])
      #expect(isMoved && land.code == "DD")
      var complaints: [String] = []
      let isDone = try land.importValues(from: ["alpha_2": "FR", "population": 1]) { report in
        complaints = report.problems.map(\.description)
      }
      #expect(!isDone && land.code == "DD" && land.population == nil)
      #expect(complaints == [#"/alpha_2: Land.code must be unique, and another has "FR""#])
    }
  }

  @Test func `what it says already is no change`() async throws {
    try await land { land, context in
      var text = ""
      try land.importValues(from: ["alpha_2": "DE", "name": "Germany"]) { text = "\($0)" }
      #expect(text == "1 land: 1 unchanged" && !land.hasChanges)
    }
  }

  @Test func `nested records are found by their keys`() async throws {
    let atlas = try Atlas()
    let context = ManagedObjectContext.contextWithParent(atlas.stack.rootSavingContext)
    try await context.perform { context in
      let child = Province.create(in: context)
      child.code = "a"
      let parent = Province.create(in: context)
      parent.code = "b"
      try child.importValues(from: ["name": "A", "parent": ["code": "b", "name": "B"]])
      #expect(child.parent === parent && parent.name == "B" && child.name == "A")
    }
  }

  @Test func `hooks are asked, and an object that says no stays`() async throws {
    let atlas = try Atlas()
    let context = ManagedObjectContext.contextWithParent(atlas.stack.rootSavingContext)
    try await context.perform { context in
      let watched = Watched.create(in: context)
      watched.id = 1
      let isFirstDone = try watched.importValues(from: ["skip": true, "name": "x"])
      #expect(!isFirstDone && watched.name == nil && !watched.isDeleted)
      let isSecondDone = try watched.importValues(from: ["name": "shout"])
      #expect(isSecondDone && watched.name == "SHOUT")
    }
  }

  @Test func `an object that is gone is an error`() async throws {
    try await land { land, context in
      land.delete()
      #expect(throws: CauldronError.self) { try land.importValues(from: ["population": 1]) }
    }
  }
}
