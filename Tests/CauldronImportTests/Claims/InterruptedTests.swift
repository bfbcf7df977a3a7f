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

  @Test(arguments: [
    ("", CauldronError.Code.importSyntax), (#", {"text": "a" "text": "b"}]"#, .importSyntax),
  ])
  func anErrorInTheTextTellsWhatIsSaved(end: String, code: CauldronError.Code) async throws {
    let depot = try Depot()
    let error = try await depot.failure(
      "[" + Self.notes(1_500).joined(separator: ",") + end, as: Note.self,
      ImportOptions(commitEvery: 500))
    #expect(error?.code == code)
    let saved = try await depot.count(Note.self)
    #expect(saved > 0)
    #expect(error?.hint.contains("\(saved)") == true, "\(saved): \(error?.hint ?? "-")")
  }

  /// Records of which one of the second part is about what somebody else changes meanwhile.
  private static func tickets() -> [String] {
    (0..<1_500).map {
      #"{"code": "p\#($0)", "count": \#($0 == 1_300 ? 7_001 : 1), "pad": "\#(pad)"}"#
    }
  }

  @Test func theHintOfASaveCountsWhatWasLeftOutAtTheStart() async throws {
    let depot = try Depot()
    let stack = depot.stack
    try await depot.load(#"[{"code": "p1300"}]"#, as: Ticket.self)
    Ticket.tellers.withLock { tellers in
      tellers[7_001] = {
        try? stack.saveAndWait { try Ticket.findFirst(\.code, "p1300", in: $0)?.count = 7_002 }
      }
    }
    defer { Ticket.tellers.withLock { $0[7_001] = nil } }
    let error = try await depot.failure(
      list(Self.tickets()), as: Ticket.self,
      ImportOptions(commitEvery: 500, mergePolicy: .error, skipping: 600))
    #expect(error?.code == .saveConflict)
    let saved = try await depot.count(Ticket.self) - 1
    #expect(saved > 0)
    #expect(error?.hint.contains("\(600 + saved)") == true, "\(saved): \(error?.hint ?? "-")")
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
