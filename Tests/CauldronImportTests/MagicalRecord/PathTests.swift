import Cauldron
import Foundation
import Testing

/// Names that lead into objects: no key-value coding is behind them.
@Suite struct PathTests {
  private func depths(_ path: String, _ json: String) async throws -> [String] {
    let desk = try Desk(
      Editor.entity(
        "Lake",
        Editor.attribute("depth", .string, ["mappedKeyName": path, "mappedKeyName.1": "other"])))
    let report = try await desk.load(json, as: "Lake")
    #expect(report.problemCount == 0)
    return try await desk.rows("Lake", "depth")
  }

  @Test func `null on the way is as nothing`() async throws {
    let json = #"[{"a": null}, {"a": null, "other": "x"}, {"a": {"b": null}, "other": "y"}]"#
    #expect(try await depths("a.b.c", json) == ["-", "x", "y"])
  }

  @Test func `arrays on the way lead nowhere`() async throws {
    #expect(try await depths("a.b", #"[{"a": [{"b": "x"}, {"b": "y"}]}]"#) == ["-"])
    #expect(try await depths("a.0", #"[{"a": ["x"]}]"#) == ["-"])
  }

  @Test func `operators are names like others`() async throws {
    let json = #"[{"a": [1, 2]}, {"a": {"@count": "x"}}]"#
    #expect(try await depths("a.@count", json) == ["-", "x"])
  }

  @Test func `a name with points in it is reached`() async throws {
    #expect(try await depths("a.b", #"[{"a.b": "x", "a": {"b": "y"}}]"#) == ["x"])
  }
}
