import Cauldron
import Foundation
import Logging
import TestSupport
import Testing

/// Log levels; whoever sets that of the process does it in another one.
@Suite(.againstHanging) struct LogLevelTests {
  @Test func `+loggingLevel: each level includes those before it`() {
    let levels = Stack.LogLevel.allCases
    #expect(levels == levels.sorted())
    #expect(levels.map(\.loggerLevel) == levels.map(\.loggerLevel).sorted(by: >))
  }

  @Test func `swift-log's names stand for the same`() {
    let names = [Stack.LogLevel.critical, .error, .warning, .notice, .info, .debug, .trace]
    let levels = [Logger.Level.critical, .error, .warning, .info, .info, .debug, .trace]
    #expect(names.map(\.loggerLevel) == levels)
    for level in Logger.Level.allCases {
      let named = Stack.LogLevel(named: level.rawValue.uppercased())
      #expect(named?.loggerLevel == (level == .notice ? .info : level), "\(level)")
    }
    #expect(Stack.LogLevel(named: "loud") == nil)
  }

  @Test func `setLoggingLevel: holds at once for stacks that are open, and before their loggers`()
    async
  {
    await #expect(processExitsWith: .success) {
      let log = LogCapture(.info)
      let bench = try Bench(.file) { $0.logger = log.logger }
      let context = bench.child()
      func lines(_ level: Stack.LogLevel?) throws -> Set<Logger.Level> {
        Stack.logLevel = level
        let before = log.lines.count
        Person.named("jack", in: context)
        try context.saveAndWait(toPersistentStore: true)
        _ = try Person.count(in: bench.committed())
        return Set(log.lines.dropFirst(before).map(\.level))
      }
      #expect(try lines(nil) == [.info])
      #expect(try lines(.verbose) == [.info, .debug, .trace])
      #expect(try lines(.debug) == [.info, .debug])
      #expect(try lines(.warn) == [])
      #expect(try lines(.off) == [])
      #expect(try lines(.verbose).contains(.trace))
      #expect(try lines(nil) == [.info])
      #expect(Stack.logLevel == nil)
    }
  }

  @Test func `off silences errors, too`() async {
    await #expect(processExitsWith: .success) {
      let bench = try Bench()
      let context = bench.child()
      try Person.named("jack", in: context).setValue(nil, forKey: "name")
      Stack.logLevel = .off
      #expect(throws: CauldronError.self) { try context.save() }
      #expect(bench.log.lines.isEmpty)
      Stack.logLevel = .error
      #expect(throws: CauldronError.self) { try context.save() }
      #expect(bench.log.lines.map(\.level) == [.error])
    }
  }

  @Test(arguments: [
    ("debug", "debug"), ("VERBOSE", "verbose"), ("trace", "verbose"), ("off", "off"),
  ])
  func `CAULDRON_LOG sets the level when the program starts`(
    _ text: String, _ name: String
  ) async {
    await #expect(processExitsWith: .success) { [text, name] in
      setenv("CAULDRON_LOG", text, 1)
      #expect(Stack.logLevel?.rawValue == name)
    }
  }

  @Test func `CAULDRON_LOG with what is no level is ignored, and said once`() async {
    await #expect(processExitsWith: .success) {
      setenv("CAULDRON_LOG", "loud", 1)
      #expect(Stack.logLevel == nil)
      let logs = try (0..<2).map { _ in try Bench().log }
      #expect(
        logs.map { $0.messages(.warning) } == [
          [
            "CAULDRON_LOG=loud is no log level, and is ignored."
              + " The levels are: off, error, warn, info, debug, verbose."
          ], [],
        ])
    }
  }

  @Test func `without a logger failures are told, and in a debug build saves, too`() {
    #if DEBUG
      let level = Logger.Level.info
    #else
      let level = Logger.Level.error
    #endif
    #expect(StackConfiguration().logger.logLevel == level)
  }

  @Test func `a logger keeps its label, its metadata and where it writes`() throws {
    let log = LogCapture()
    var logger = log.logger
    logger[metadataKey: "program"] = "test"
    let bench = try Bench { $0.logger = logger }
    #expect(bench.root.logger.label == "test")
    #expect(bench.root.logger[metadataKey: "program"] == "test")
    #expect(bench.root.logger.logLevel == .debug)
  }
}
