import TestSupport
import Testing

/// The small programs about contexts print what they claim, in that order, each time.
@Suite(.againstHanging) struct ContextExampleTests {
  @Test func `two layers: who knows the new name after each step`() async throws {
    let lines = try await ChildProcess("TwoLayers").lines()
    #expect(
      lines == [
        "the store holds jack",
        "the child has renamed jack to jill:",
        "  child: jill, main: jack, store: jack",
        "the child has saved: its parent knows, the store does not:",
        "  child: jill, main: jill, store: jack",
        "the main context has saved: the store knows:",
        "  child: jill, main: jill, store: jill",
        "the main context has renamed jill to joe:",
        "  child: jill, main: joe, store: jill",
        "the child has read the person anew:",
        "  child: joe, main: joe, store: jill",
        "a session was thrown away:",
        "  child: joe, main: joe, store: jill",
      ])
  }

  @Test func `three layers: each save makes the employee known one level further`() async throws {
    let lines = try await ChildProcess("ThreeLayers").lines()
    let levels = ["background", "main", "root", "store"]
    let events = [
      "created in the background context", "the background context has saved",
      "the main context has saved", "the root context has saved",
    ]
    let expected = events.enumerated().flatMap { step, event in
      ["\(event):"]
        + levels.enumerated().map { level, name in
          "  \(name): " + (level <= step ? "Ada, born 1970-01-01, 1.68 m" : "knows nobody")
        }
    }
    #expect(lines == expected)
  }

  @Test func `task board: parts in order, shared labels, a thrown-away session, undo, a cascade`()
    async throws
  {
    let lines = try await ChildProcess("TaskBoard").lines()
    let heating = "  Mend the heating #urgent"
    let garden = ["Garden:", "  Plant a tree #spring", "    - Dig", "    - Water"]
    #expect(
      lines == [
        "House:", heating, "  Paint the door #colour #spring", "    x Sand it", "    - Paint it",
        "    - Let it dry",
      ] + garden + [
        "done: Sand it", "<Project p1 of Default Context: name: \"House\", items: 2>",
        "<Item p2 of Default Context: title: \"Sand it\", isDone: true, project: nil,"
          + " whole: Item p1, parts: not read, labels: not read>",
        "in the session: Let it dry, Sand it, Paint it, no labels",
        "on the board: Sand it, Paint it, Let it dry, 2 labels",
        "<Item p9 of Default Context, inserted: title: \"Prime it\", isDone: false, project: nil,"
          + " whole: Item p1, parts: not read, labels: not read>", "House:", heating,
        "  Paint the door #colour #spring", "    x Sand it", "    - Prime it", "    - Paint it",
        "    - Let it dry", "Undo Delete \"Paint the door\", of 1 item", "House:", heating,
        "  Paint the door #colour #spring", "    x Sand it", "    - Prime it", "    - Paint it",
        "    - Let it dry", "nothing to save: true", "before: 2 projects, 9 items, 3 labels",
        "afterwards: 1 projects, 3 items, 3 labels",
      ] + garden)
  }

  @Test func `team list: the main context merges the fourth team and prints four`() async throws {
    let lines = try await ChildProcess("TeamList").lines()
    #expect(
      lines == [
        "3 teams: Ajax, Benfica, Celtic",
        "The temporary context has saved 1 team",
        "4 teams: Ajax, Benfica, Celtic, Dinamo",
      ])
  }

  @Test func `import operation: both ways end with the same list`() async throws {
    let lines = try await ChildProcess("ImportOperation").lines()
    try #require(lines.count == 2)
    let (first, second) = (lines[0].separated, lines[1].separated)
    #expect(first.0 == "by notification and merge")
    #expect(second.0 == "by parent and child")
    #expect(first.1 == "24 readings, the highest 20.75° at 17 o'clock")
    #expect(first.1 == second.1)
  }

  @Test func `context per thread: a thread finds its own context again`() async throws {
    let lines = try await ChildProcess("ContextPerThread").lines()
    let threads = (1...2).flatMap { number in
      [
        "the context of thread \(number) has 1 unsaved",
        "the context of thread \(number) has 2 unsaved",
        "saved; 0 unsaved are left",
      ]
    }
    let songs =
      "song 1 of thread 1, song 1 of thread 2, song 2 of thread 1, song 2 of thread 2"
    #expect(lines == threads + ["4 songs: \(songs)"])
  }
}

extension ChildProcess {
  /// What the program prints, which must end well and without a word on the error output.
  fileprivate func lines() async throws -> [String] {
    let outcome = try await run()
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.isEmpty)
    return outcome.outputLines
  }
}

extension String {
  /// What stands before the first colon, and what stands after it.
  fileprivate var separated: (String, String) {
    let parts = split(separator: ": ", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.last ?? "")
  }
}
