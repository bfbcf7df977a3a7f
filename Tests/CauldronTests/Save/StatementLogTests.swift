import Cauldron
import Logging
import TestSupport
import Testing

@Suite(.againstHanging) struct StatementLogTests {
  private func traced(
    _ level: Logger.Level, showsValues: Bool = false
  ) throws -> (Bench, LogCapture) {
    let log = LogCapture(level)
    let bench = try Bench(.file) {
      $0.logger = log.logger
      $0.showsValues = showsValues
    }
    return (bench, log)
  }

  private func statements(_ log: LogCapture, _ start: String) -> [LogCapture.Line] {
    log.lines.filter { $0.level == .trace && $0.message.hasPrefix(start) }
  }

  @Test func `at trace each statement is logged with its rows and time`() throws {
    let (bench, log) = try traced(.trace)
    let context = bench.child()
    for number in 0..<5 { Person.named("secret \(number)", in: context) }
    try context.saveAndWait(toPersistentStore: true)
    let inserts = statements(log, "INSERT OR ABORT INTO ZPERSON")
    let inserted = inserts.compactMap { Int("\($0.metadata["rows"] ?? "")") }.reduce(0, +)
    #expect(inserted == 5)
    // A time of zero is left out.
    let times = log.lines.filter { $0.level == .trace }.compactMap { $0.metadata["worked"] }
    #expect(times.allSatisfy { "\($0)".hasSuffix(" ms") })
    #expect(!times.contains("0.0 ms"))
    #expect(statements(log, "COMMIT").count >= 1)
    #expect(try Person.findAll(in: bench.committed()).count == 5)
    #expect(statements(log, "SELECT").last?.metadata["rows"] == "5")
    #expect(try Person.findAll(where: \.age == 7, in: bench.committed()).isEmpty)
    let empty = try #require(statements(log, "SELECT").last)
    #expect(empty.metadata["rows"] == nil)
    #expect(!log.lines.contains { $0.message.contains("secret") })
  }

  @Test func `statements hold values where the stack is asked to show them`() throws {
    let (bench, log) = try traced(.trace, showsValues: true)
    let context = bench.child()
    Person.named("plain", in: context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(
      statements(log, "INSERT OR ABORT INTO ZPERSON").contains { $0.message.contains("'plain'") })
  }

  @Test func `at debug no statement is reported`() throws {
    let (bench, log) = try traced(.debug)
    let context = bench.child()
    Person.named("jack", in: context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(!log.lines.contains { $0.message.contains("INSERT") || $0.message.contains("SELECT") })
  }
}
