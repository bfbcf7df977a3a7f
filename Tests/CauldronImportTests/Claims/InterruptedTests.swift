import Cauldron
import Foundation
import Testing

/// Imports that end early after some of them was saved.
@Suite struct InterruptedTests {
  private static let pad = String(repeating: "x", count: 220)

  private static func notes(_ count: Int, bad: Int? = nil) -> [String] {
    (0..<count).map { #"{"text": \#($0 == bad ? "7" : "\"\(pad)\"")}"# }
  }

  @Test func theHintCountsWhatWasLeftOutAtTheStart() async throws {
    let depot = try Depot()
    let error = try await depot.failure(
      list(Self.notes(2_000, bad: 1_700)), as: Note.self,
      ImportOptions(commitEvery: 500, stopsAtFirst: true, skipping: 1_000))
    let saved = try await depot.count(Note.self)
    #expect(saved > 0)
    #expect(error?.hint.contains("\(1_000 + saved)") == true, "\(saved): \(error?.hint ?? "-")")
  }

  @Test func aSyntaxErrorTellsWhatIsSaved() async throws {
    let depot = try Depot()
    let text = list(Self.notes(2_000))
    let error = try await depot.failure(
      String(text.prefix(text.count / 4 * 3)), as: Note.self, ImportOptions(commitEvery: 500))
    #expect(error?.code == .importSyntax)
    let saved = try await depot.count(Note.self)
    #expect(saved > 0)
    #expect(error?.hint.contains("\(saved)") == true, "\(saved): \(error?.hint ?? "-")")
  }

  @Test func fewRecordsAreSavedWhereSoFewAreAskedFor() async throws {
    let depot = try Depot()
    let error = try await depot.failure(
      "[" + Self.notes(400).joined(separator: ",") + ", }", as: Note.self,
      ImportOptions(commitEvery: 10))
    #expect(error?.code == .importSyntax)
    let saved = try await depot.count(Note.self)
    #expect(saved >= 390, "\(saved)")
  }
}
