import Cauldron
import Foundation
import Testing

/// What somebody has met who has built a program on imports.
@Suite struct StrangerTests {
  @Test func aFunctionThatTakesTheSourceReadsWhatTheAttributeCannotKeep() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"id": 1, "level": "high"}, {"id": 2, "level": "low"}, {"id": 3, "level": 3},"#
        + #" {"id": 4, "rank": "x"}]"#, as: Climber.self)
    #expect(
      report.problems.map(\.description) == [
        #"/1/level: "low" is not a number"#, #"/3/rank: "x" is not a number"#,
      ])
    let levels = try await depot.all(Climber.self) { "\($0.id) \($0.level)" }
    #expect(levels == ["1 100", "3 3"])
  }

  @Test func valuesInACycleAreAnError() async throws {
    let depot = try Depot()
    let context = ManagedObjectContext.contextWithParent(depot.stack.rootSavingContext)
    do {
      try await context.perform { context in
        // Foundation's own collections in a cycle cannot even be looked at: bridging them never ends.
        _ = try Climber.importFrom([["id": 1, "friends": Ring()]] as [Any], in: context)
      }
      Issue.record("a cycle was read")
    } catch let error as CauldronError {
      #expect(error.code == .importTooDeep)
    }
  }

  @Test(arguments: ["<html>404</html>", "e", "]"])
  func whatIsNoJSONIsASyntaxError(text: String) async throws {
    let depot = try Depot()
    do {
      try await depot.load(text, as: Climber.self)
      Issue.record("\(text) was read")
    } catch let error as CauldronError {
      #expect(error.code == .importSyntax, "\(error)")
    }
  }

  @Test func aRecordAloneHasNoPlaceToBeTold() async throws {
    let depot = try Depot()
    let report = try await depot.load(#"{"albums": []}"#, as: Climber.self)
    #expect(report.problems.first?.description.hasPrefix("the record has no key") == true)
  }

  @Test func whatAHookThrowsIsInTheError() async throws {
    let depot = try Depot()
    do {
      try await depot.load(
        #"[{"id": 1, "throws": "did"}]"#, as: Watched.self, ImportOptions(stopsAtFirst: true))
      Issue.record("nothing was thrown")
    } catch let error as CauldronError {
      #expect(error.code == .importRefused && error.underlying is Watched.Refused)
    }
  }
}

/// A collection of nothing but itself.
private final class Ring: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { 1 }
  subscript(position: Int) -> Any { self }
}

/// Levels have names as well.
@Entity final class Climber: ManagedObject {
  @Attribute(.unique) var id: Int
  var level: Int = 0
  var rank: Int?

  func importLevel(_ source: ImportSource) -> Bool {
    guard source.string == "high" else { return false }
    level = 100
    return true
  }

  func importRank(_ value: Int?) { rank = value }
}
