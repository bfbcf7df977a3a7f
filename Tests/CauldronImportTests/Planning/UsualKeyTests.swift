import Cauldron
import Foundation
import Logging
import Testing

@Entity final class Rider: ManagedObject {
  var riderID: Int64? = 0
  var name: String?
  @Relationship(inverse: \Horse.rider) var horse: Horse?
}
@Entity final class Horse: ManagedObject {
  var name: String?
  @Relationship var rider: Rider?
}
@Entity class Mount: ManagedObject {
  var mountID: Int = 0
  @Attribute(.unique) var chip: String?
}
@Entity final class Pony: Mount { var name: String? }

/// `riderID` of a Rider is its key, and what has no key is told.
@Suite struct UsualKeyTests {
  private func stack(_ log: WarningLog = WarningLog()) throws -> Stack {
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "keys") { _ in log }
    return try Stack(
      storeURL: nil,
      model: ManagedObjectModel(entities: [
        Rider._describeEntity(), Horse._describeEntity(), Mount._describeEntity(),
        Pony._describeEntity(),
      ]), configuration: configuration)
  }

  @Test func `an attribute with the entity's name and ID is the key of a class that says nothing`()
    async throws
  {
    let stack = try stack()
    for name in ["jack", "jill"] {
      let json = #"[{"riderID": 7, "name": "\#(name)"}, {"riderID": 8}]"#
      let report = try await stack.importJSON(Data(json.utf8), as: Rider.self)
      #expect(report.created == (name == "jack" ? 2 : 0) && report.records == 2)
    }
    let names = try await stack.save { context in
      try Rider.findAll(sortedBy: \.riderID, in: context).map { $0.name ?? "-" }
    }
    #expect(names == ["jill", "-"])
    let missing = try await stack.importJSON(Data(#"[{"name": "x"}]"#.utf8), as: Rider.self)
    #expect(missing.refused == 1 && missing.problems.map(\.code) == [.importMissingKey])
  }

  @Test func `a unique attribute comes before it, for the entities below, too`() async throws {
    let stack = try stack()
    for number in 1...2 {
      let json = #"[{"chip": "a", "mountID": \#(number)}]"#
      _ = try await stack.importJSON(Data(json.utf8), as: Pony.self)
    }
    #expect(try await stack.save { try Pony.findAll(in: $0).map(\.mountID) } == [2])
  }

  @Test func `an entity without a key is told once in an import, in the log and in the report`()
    async throws
  {
    let log = WarningLog()
    let stack = try stack(log)
    let json = Data(
      #"[{"riderID": 1, "horse": {"name": "a"}}, {"riderID": 2, "horse": {"name": "b"}}, {"riderID": 3}]"#
        .utf8)
    for count in 1...2 {
      let report = try await stack.importJSON(json, as: Rider.self)
      #expect(report.warnings.filter { $0.hasPrefix("Horse has no key") }.count == 1)
      #expect(log.lines.filter { $0.hasPrefix("Horse has no key") }.count == count)
    }
    // What no record has, and what is meant, is not told.
    let none = try await stack.importJSON(Data(#"[{"riderID": 4}]"#.utf8), as: Rider.self)
    #expect(none.warnings.allSatisfy { !$0.hasPrefix("Horse has no key") })
    let meant = try await stack.importJSON(
      Data(#"[{"name": "x"}]"#.utf8), as: Horse.self,
      options: ImportOptions(mappings: ["Horse": ImportMapping(alwaysInserts: true)]))
    #expect(meant.created == 1)
    #expect(meant.warnings.allSatisfy { !$0.hasPrefix("Horse has no key") })
  }
}

/// Keeps what is logged as a warning. `@unchecked Sendable` because a lock guards its lines.
private final class WarningLog: LogHandler, @unchecked Sendable {
  private let lock = NSLock()
  private var all: [String] = []
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.warning

  var lines: [String] { lock.withLock { all } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    lock.withLock { all.append("\(event.message)") }
  }
}
