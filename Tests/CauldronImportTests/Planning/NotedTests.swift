import Cauldron
import Foundation
import Logging
import Testing

/// What model editors have noted for MagicalRecord.
@Suite struct NotedTests {
  private static func attribute(
    _ name: String, _ info: [String: String] = [:]
  ) -> PropertyDescription {
    var made = AttributeDescription(name: name, type: .integer64)
    made.userInfo = info
    return .attribute(made)
  }

  private static func link(
    _ name: String, _ to: String, _ back: String, toMany: Bool = false,
    _ info: [String: String] = [:]
  ) -> PropertyDescription {
    var made = RelationshipDescription(name: name, destination: to, inverse: back, isToMany: toMany)
    made.userInfo = info
    return .relationship(made)
  }

  private func load(
    _ json: String, _ entities: [EntityDescription]
  ) async throws -> (report: ImportReport, lines: [String]) {
    let log = Log()
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "import") { _ in log }
    let stack = try Stack(
      storeURL: nil, model: ManagedObjectModel(entities: entities), configuration: configuration)
    let name = entities[0].name
    _ = try await stack.importJSON(Data(json.utf8), asEntityNamed: name)
    let report = try await stack.importJSON(Data(json.utf8), asEntityNamed: name)
    return (report, log.lines.withLock { $0 })
  }

  @Test func `the own name comes before those with numbers`() async throws {
    let cell = EntityDescription(
      name: "Cell",
      properties: [
        Self.attribute("cellID"),
        Self.attribute("size", ["mappedKeyName.1": "big", "mappedKeyName.2": "wide"]),
      ])
    let (report, _) = try await load(
      #"[{"cellID": 1, "big": 5, "size": 7}, {"cellID": 2, "wide": 5}, {"cellID": 1, "size": 7}]"#,
      [cell])
    #expect(report.unchanged == 3, "\(report)")
  }

  @Test func `a note that names no attribute is ignored with a warning`() async throws {
    var cell = EntityDescription(
      name: "Cell",
      properties: [
        Self.attribute("cellID"),
        Self.link("body", "Body", "cells", ["relatedByAttribute": "nothing"]),
      ])
    cell.userInfo = ["relatedByAttribute": "none"]
    let body = EntityDescription(
      name: "Body",
      properties: [Self.attribute("code"), Self.link("cells", "Cell", "body", toMany: true)],
      uniquenessConstraints: [["code"]])
    let (report, warnings) = try await load(#"[{"cellID": 1, "body": 5}]"#, [cell, body])
    #expect(report.unchanged == 1, "\(report)")
    for text in [
      "Cell is noted to be found by \"none\"", "Cell.body is noted to be related by \"nothing\"",
    ] {
      #expect(warnings.contains { $0.hasPrefix(text) }, "\(warnings)")
    }
  }

  @Test func `without any key each record is a new object`() async throws {
    var cell = EntityDescription(name: "Cell", properties: [Self.attribute("size")])
    cell.userInfo = ["relatedByAttribute": "none"]
    let (report, _) = try await load(#"[{"size": 1}]"#, [cell])
    #expect(report.created == 1)
  }

  @Test func `a class that names no key has the usual one`() async throws {
    let hangar = try Hangar(ManagedObjectModel(Stamp.self))
    for _ in 0..<2 { try await hangar.load(Stamp.self, json: #"[{"stampID": 1}]"#) }
    #expect(try await hangar.count(Stamp.self) == 1)
  }
}

@Entity final class Stamp: ManagedObject {
  var stampID: Int = 0
}

/// Keeps warnings.
private struct Log: LogHandler {
  let lines = Locked<[String]>([])
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.warning

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
}
