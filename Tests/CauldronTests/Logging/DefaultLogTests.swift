import Cauldron
import Foundation
import Logging
import TestSupport
import Testing

/// Where the library reports if the program has given no logger. That is up to the process, so that each
/// test has one of its own.
@Suite(.againstHanging) struct DefaultLogTests {
  /// Saves an object in a stack that was given no logger.
  private static func save() throws {
    Stack.logLevel = .info
    let bench = try Bench { $0.logger = StackConfiguration().logger }
    let context = bench.child()
    Person.named("jack", in: context)
    try context.saveAndWait(toPersistentStore: true)
  }

  private func lines(_ result: ExitTest.Result?) -> [Substring] {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
  }

  @Test func `without a logging system standard error gets lines for people`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { try Self.save() }
    let lines = lines(result).filter { $0.contains("sav") || $0.contains("Sav") }
    #expect(lines.count == 3, "\(lines)")
    for (line, step) in zip(lines, ["1/2", "2/2"]) {
      let sentence = #/[0-9:]{8}\.[0-9]{3} → Saving <.*> on a background thread +(.*)/#
      let data = line.wholeMatch(of: sentence)?.1
      let pattern = #/DefaultLogTests\.swift:[0-9]+ \#[0-9]+ [12]\/2 \+1/#
      #expect(data?.wholeMatch(of: pattern) != nil && line.contains(step), "\(line)")
    }
    #expect(lines.last?.contains("✓ Saved to the store in memory: 1 inserted in ") == true)
  }

  @Test func `a logging system gets the lines, and standard error nothing`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let log = LogCapture()
      LoggingSystem.bootstrap { _ in log.logger.handler }
      try Self.save()
      #expect(log.messages().map { $0.prefix(8) } == ["→ Saving", "→ Saving", "✓ Saved "])
      #expect(log.messages().allSatisfy { !$0.contains(".swift") })
    }
    #expect(!lines(result).contains { $0.contains("Saving") })
  }

  @Test func `a logging system that comes after the stack gets the lines from then on`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      Stack.logLevel = .info
      let bench = try Bench { $0.logger = StackConfiguration().logger }
      let context = bench.child("Early")
      Person.named("jack", in: context)
      try context.save()
      let log = LogCapture()
      LoggingSystem.bootstrap { _ in log.logger.handler }
      context.name = "Late"
      Person.named("jill", in: context)
      try context.save()
      #expect(log.messages().count == 2)
    }
    let lines = lines(result)
    #expect(lines.contains { $0.contains(": Early> on") })
    #expect(!lines.contains { $0.contains(": Late> on") })
  }

  @Test func `a style decides whatever was bootstrapped`() async {
    let plain = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      LoggingSystem.bootstrap { StreamLogHandler.standardOutput(label: $0) }
      Stack.logStyle = .plain
      try Self.save()
    }
    #expect(lines(plain).contains { $0.contains("✓ Saved to the store in memory") })
    let system = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
      Stack.logStyle = .system
      try Self.save()
    }
    let written = lines(system).filter { $0.contains("Saved to the store in memory") }
    #expect(written.count == 1 && written.allSatisfy { $0.contains("info cauldron") }, "\(written)")
  }

  @Test func `a logger of the program's own is used as it is`() throws {
    let logger = Logger(label: "mine") { StreamLogHandler.standardError(label: $0) }
    let bench = try Bench { $0.logger = logger }
    #expect(bench.root.logger.label == "mine")
    #expect("\(bench.root.logger.handler)".contains("StreamLogHandler"))
    #expect("\(StackConfiguration().logger.handler)".contains("PlainLogHandler"))
  }

  @Test func `lines of many threads are not mixed`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let logger = StackConfiguration().logger
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for _ in 0..<50 {
          let text = String(repeating: "\(thread)", count: 3_000)
          logger.critical("\(text)|", metadata: ["end": "!"])
        }
      }
    }
    let lines = lines(result).filter { $0.contains("CRITICAL") }
    #expect(lines.count == 400)
    #expect(lines.allSatisfy { $0.wholeMatch(of: /.{12} CRITICAL ([0-9])\1{2999}\| end=!/) != nil })
  }
}
