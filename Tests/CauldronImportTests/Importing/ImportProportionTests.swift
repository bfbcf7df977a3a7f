import Cauldron
import CauldronGraph
import CauldronLedger
import Foundation
import Logging
import TestSupport
import Testing

/// What an import of many records costs, counted in statements.
@Suite(.againstHanging) struct ImportProportionTests {
  private static let count = 20_000

  @Test("keys are looked for many at a time, and what is there is not written")
  func statements() async throws {
    let log = StatementLog()
    let directory = try TemporaryDirectory()
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "import") { _ in log }
    configuration.logger.logLevel = .trace
    let stack = try Stack(
      storeURL: directory.file("store.sqlite"),
      model: ManagedObjectModel(Land.self, Province.self, Tongue.self, Town.self),
      configuration: configuration)
    let records = (0..<Self.count).map { #"{"code":"p\#($0)","name":"n","parent":"p\#($0 / 10)"}"# }
    let data = Data("[\(records.joined(separator: ","))]".utf8)
    for isFirst in [true, false] {
      let chunks = Locked(0)
      log.clear()
      let report = try await stack.importJSON(data, as: Province.self) { _ in
        chunks.withLock { $0 += 1 }
      }
      #expect(report.records == Self.count)
      let most = 2 * chunks.withLock { $0 } + 8
      #expect(log.count("SELECT") <= most, "\(log.count("SELECT")) statements, at most \(most)")
      if isFirst {
        #expect(report.created == Self.count)
      } else {
        #expect(report.unchanged == Self.count)
        #expect(report.outcome == .noChanges)
        #expect(log.count("INSERT OR ABORT INTO ZPROVINCE") == 0)
        #expect(log.count("UPDATE OR ABORT ZPROVINCE") == 0)
      }
    }
    try stack.close()
  }
}

/// The statements that a stack logs.
struct StatementLog: LogHandler {
  private let lines = Locked<[String]>([])
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }

  func clear() { lines.withLock { $0 = [] } }

  /// How many statements begin with a text; those about the store itself do not count.
  func count(_ start: String) -> Int {
    lines.withLock { $0.count { $0.hasPrefix(start) && !$0.contains("Z_METADATA") } }
  }
}
