import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Foundation
import Testing

/// Every row of the table in the article `Importing`, in both modes.
@Suite struct CoercionTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let type: AttributeType
    let json: String
    /// What is kept; nil where the record is refused.
    let strict: String?
    let lenient: String?

    init(_ type: AttributeType, _ json: String, _ strict: String?, _ lenient: String?) {
      (self.type, self.json, self.strict, self.lenient) = (type, json, strict, lenient)
    }

    /// What is the same in both modes.
    init(_ type: AttributeType, _ json: String, _ both: String?) {
      self.init(type, json, both, both)
    }

    var testDescription: String { "\(json) as \(type)" }
  }

  static let numbers: [Row] = [
    Row(.integer64, "3", "3"), Row(.integer64, "3.0", "3"), Row(.integer64, "3e2", "300"),
    Row(.integer64, "-0.0", "0"), Row(.integer64, "0e99999999999999999999", "0"),
    Row(.integer64, "9223372036854775807", "9223372036854775807"),
    Row(.integer64, "9223372036854775808", nil), Row(.integer16, "40000", nil),
    Row(.integer32, "3e9", nil),
    Row(.integer64, "1e-9223372036854775808", nil, "0"),
    Row(.integer64, "1e-5000000000", nil, "0"), Row(.integer64, "1e5000000000", nil),
    Row(.double, "1e-400", nil), Row(.double, "-1e-99999999999999999999", nil),
    Row(.double, "0e-400", "0.0"), Row(.float, "1e-60", nil), Row(.decimal, "1e-400", nil),

    Row(.integer64, "1e9223372036854775807", nil), Row(.integer64, "2.5", nil, "2"),
    Row(.integer64, "-2.5", nil, "-2"),
    Row(.integer64, "9007199254740993.7", nil, "9007199254740993"),
    Row(.integer64, "0.99999999999999999999", nil, "0"), Row(.integer64, "\" 12 \"", nil, "12"),
    Row(.integer64, "\"+5\"", nil, "5"), Row(.integer64, "\"+-5\"", nil),
    Row(.integer64, "\"0x10\"", nil), Row(.integer64, "\"\"", nil),
    Row(.integer64, "\"inf\"", nil), Row(.integer64, "true", nil, "1"), Row(.integer64, "[]", nil),
    Row(.double, "0.1", "0.1"), Row(.double, "\"0.5\"", nil, "0.5"),
    Row(.double, "true", nil, "1.0"),
    Row(.double, "1e400", nil), Row(.double, "\"nan\"", nil), Row(.float, "0.5", "0.5"),
    Row(.float, "1e39", nil), Row(.decimal, "123456789012345", "123456789012345"),
    Row(.decimal, "1.50", "1.5"), Row(.decimal, "9223372036854775807", "9223372036854775807"),
    Row(.decimal, "0.1234567890123456", nil, "0.123456789012346"),
    Row(
      .decimal, "12345678901234567890123456789012345678901", nil,
      "12345678901234600000000000000000000000000"),
    Row(.decimal, "\"1.5\"", nil, "1.5"), Row(.boolean, "true", "1"), Row(.boolean, "false", "0"),
    Row(.boolean, "1", nil, "1"), Row(.boolean, "0.0", nil, "0"),
    Row(.boolean, "\"Yes\"", nil, "1"),
    Row(.boolean, "\"f\"", nil, "0"), Row(.boolean, "\"0x10\"", nil), Row(.boolean, "\"on\"", nil),
  ]

  static let others: [Row] = [
    Row(.string, "\"a\"", "a"), Row(.string, "1.50", nil, "1.50"), Row(.string, "true", nil, "1"),
    Row(.string, "{}", nil), Row(.date, "\"2001-01-01T00:00:01Z\"", "1.0"),
    Row(.date, "\"2001-01-01T01:00:00+01:00\"", "0.0"), Row(.date, "\"2001-01-02\"", "86400.0"),
    Row(.date, "\"2001-01-01T00:00:00\"", nil), Row(.date, "\"2001-02-30\"", nil),
    Row(.date, "\"2001-01-01T00:00:00UTC\"", nil, "0.0"), Row(.date, "978307201", nil, "1.0"),
    Row(.date, "\"978307201\"", nil), Row(.date, "\"20261124\"", nil), Row(.date, "true", nil),
    Row(.binary, "\"AAE=\"", "AAE="), Row(.binary, "\"*\"", nil), Row(.binary, "1", nil),
    Row(.uuid, "\"00000000-0000-0000-0000-00000000000a\"", "AAAAAAAAAAAAAAAAAAAACg=="),
    Row(.uuid, "\"a\"", nil), Row(.uri, "\"https://a.example\"", "https://a.example"),
    Row(.uri, "\"\"", nil),
    Row(.transformable, "{\"b\": [1.0], \"a\": null}", "eyJhIjpudWxsLCJiIjpbMV19"),
  ]

  @Test(arguments: numbers + others, [ImportMode.strict, .lenient])
  func `a value becomes what the table says, or refuses its record`(
    row: Row, mode: ImportMode
  ) async throws {
    let entity = EntityDescription(
      name: "Cell", properties: [.attribute(AttributeDescription(name: "a", type: row.type))])
    let stack = try Stack(storeURL: nil, model: ManagedObjectModel(entities: [entity]))
    let report = try await stack.importJSON(
      Data("[{\"a\": \(row.json)}]".utf8), asEntityNamed: "Cell", options: .init(mode: mode))
    let kept = try await stack.save { context in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Cell")).first.map(Self.text)
    }
    #expect(kept == (mode == .strict ? row.strict : row.lenient))
    #expect(report.refused == (kept == nil ? 1 : 0))
    #expect(report.problems.allSatisfy { $0.pointer == "/0/a" && $0.code == .importValue })
  }

  private static func text(_ object: ManagedObject) -> String {
    let storage = object.layout.properties[0].storageClass ?? .text
    return switch object.importedScalar(at: 0, storage: storage) {
    case .null: "null"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): text
    case .blob(let data): data.base64EncodedString()
    }
  }
}
