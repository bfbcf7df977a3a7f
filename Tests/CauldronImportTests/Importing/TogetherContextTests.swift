import Cauldron
import Foundation
import TestSupport
import Testing

/// Objects that are found by several attributes together, in contexts that have unsaved changes.
@Suite(.againstHanging) struct TogetherContextTests {
  @Test(arguments: [false, true])
  func `an unsaved object of the context is found`(inFile: Bool) async throws {
    let hall = try Hall(inFile: inFile)
    try await hall.stack.save { context in
      let place = Place.create(in: context)
      (place.rank, place.number) = ("a", 1)
      let found = try Place.importFrom(
        [["rank": "a", "number": 1, "guest": "jack"], ["rank": "a", "number": 2]], in: context)
      #expect(found.count == 2 && found[0] === place && place.guest == "jack")
    }
    #expect(try await hall.places() == ["a1 jack", "a2 -"])
  }

  @Test func `an edit that is not saved counts, and so does a deletion`() async throws {
    let hall = try Hall(inFile: true)
    try await hall.load(
      #"[{"rank": "a", "number": 1, "guest": "x"}, {"rank": "a", "number": 2, "guest": "y"}]"#)
    try await hall.stack.save { context in
      let all = try Place.findAll(sortedBy: \.number, in: context)
      all[0].number = 3
      all[1].delete()
      let found = try Place.importFrom(
        [["rank": "a", "number": 3, "guest": "jack"], ["rank": "a", "number": 1]], in: context)
      #expect(found.count == 2 && found[0] === all[0] && found[1] !== all[0])
    }
    #expect(try await hall.places() == ["a1 -", "a3 jack"])
  }

  @Test func `a child finds what its parent has not saved`() async throws {
    let hall = try Hall(inFile: true)
    let parent = ManagedObjectContext.contextWithParent(hall.stack.rootSavingContext)
    await parent.perform { context in
      let place = Place.create(in: context)
      (place.rank, place.number, place.guest) = ("a", 1, "jack")
    }
    let child = ManagedObjectContext.contextWithParent(parent)
    try await child.perform { context in
      let found = try Place.importFrom([["rank": "a", "number": 1, "guest": "jill"]], in: context)
      #expect(found.first?.isInserted == false)
      try context.save()
    }
    try await parent.perform { context in
      #expect(try Place.findAll(in: context).map(\.text) == ["a1 jill"])
      try context.save()
    }
  }

  @Test func `imports at the same time make one object of the same parts`() async throws {
    let hall = try Hall(inFile: true)
    let records = (0..<50).map { #"{"rank": "\#($0 % 7)", "number": \#($0), "guest": "g"}"# }
    try await withThrowingTaskGroup(of: ImportReport.self) { group in
      for _ in 0..<4 { group.addTask { try await hall.load(list(records)) } }
      for try await report in group { #expect(report.problemCount == 0, "\(report)") }
    }
    #expect(try await hall.places().count == 50)
  }

  @Test func `an object that does not want to be imported stays, and no new one does`() async throws
  {
    let hall = try Hall()
    let report = try await hall.load(
      """
      [{"game": 1, "step": 1, "move": "e4"}, {"game": 1, "step": 1, "move": "d4", "skip": true},
       {"game": 1, "step": 2, "move": "e5", "skip": true}, {"game": 1, "step": 1, "move": "c4"}]
      """, as: Turn.self)
    #expect(report.created == 1 && report.updated == 1 && report.declined == 2, "\(report)")
    #expect(
      try await hall.all(Turn.self) { "\($0.game) \($0.step) \($0.move ?? "-")" } == ["1 1 c4"])
  }

  @Test func `a hook that gives an object the parts of another one refuses its record`()
    async throws
  {
    let hall = try Hall()
    let report = try await hall.load(
      #"[{"game": 1, "step": 1}, {"game": 1, "step": 2, "moved": 1}, {"game": 1, "step": 3}]"#,
      as: Turn.self)
    #expect(
      report.problems.map(\.reason) == [
        "Turn.game, step must be unique together, and another has 1, 1"
      ])
    #expect(try await hall.all(Turn.self) { "\($0.game) \($0.step)" } == ["1 1", "1 3"])
  }

  @Test func `what is imported into an object cannot take the parts of another one`() async throws {
    let hall = try Hall()
    try await hall.load(#"[{"rank": "a", "number": 1}, {"rank": "a", "number": 2}]"#)
    try await hall.stack.save { context in
      let place = try #require(try Place.findFirst(\.number, 2, in: context))
      #expect(try place.importValues(from: ["number": 1]) == false)
      #expect(try place.importValues(from: ["guest": "jack"]))
    }
    #expect(try await hall.places() == ["a1 -", "a2 jack"])
  }

  @Test func `a key that is chosen for the entity comes first`() async throws {
    let hall = try Hall()
    try await hall.load(#"[{"rank": "a", "number": 1, "guest": "jack"}]"#)
    let options = ImportOptions(mappings: ["Place": ImportMapping(key: "guest")])
    let report = try await hall.load(
      #"[{"rank": "b", "number": 2, "guest": "jack"}]"#, options)
    #expect(report.updated == 1 && report.created == 0, "\(report)")
    #expect(try await hall.places() == ["b2 jack"])
  }
}
