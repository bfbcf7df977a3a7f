import Cauldron
import Foundation
import Logging
import Testing

/// What made imports slow, and objects dirty.
@Suite struct CostTests {
  @Test func `equal values leave an object as it is`() async throws {
    let desk = try Desk(Machine.described(), Gear.described())
    let context = ManagedObjectContext.contextWithParent(desk.stack.rootSavingContext)
    let record =
      [
        "machineID": "7", "label": "x", "built": "2011-07-23T22:30:40Z", "weight": "1.50",
        "tools": [["gearID": "1"]],
      ] as [String: any Sendable]
    try await context.perform { context in
      let report = Locked<String>("")
      func take() throws -> Machine? {
        try Machine.importFrom([record], in: context, options: .init(mode: .lenient)) { done in
          report.withLock { $0 = "\(done)" }
        }.first
      }
      let first = try take()
      try context.save()
      #expect(first?.hasChanges == false)
      #expect(try take() === first)
      #expect(report.withLock { $0 } == "1 machine: 1 unchanged")
      #expect(first?.hasChanges == false && !context.context.hasChanges)
    }
  }

  @Test func `a key is no statement, and a related key neither`() async throws {
    let count = Locked(0)
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "import") { _ in SelectCount(count: count) }
    configuration.logger.logLevel = .trace
    let stack = try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [Machine.described(), Gear.described()]),
      configuration: configuration)
    let lines = (0..<400).map {
      #"{"machineID": \#($0), "tools": [\#($0), {"gearID": \#($0 / 2)}]}"#
    }
    let data = Data("[\(lines.joined(separator: ","))]".utf8)
    for _ in 0..<2 {
      count.withLock { $0 = 0 }
      let report = try await stack.importJSON(
        data, as: Machine.self, options: .init(mode: .lenient))
      #expect(report.records == 400 && report.refused == 0)
      #expect(count.withLock { $0 } < 20)
    }
  }
}

/// Counts the statements that read.
private struct SelectCount: LogHandler {
  let count: Locked<Int>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    if "\(event.message)".hasPrefix("SELECT") { count.withLock { $0 += 1 } }
  }
}
