import Cauldron
import Foundation
import Testing

/// What a class is asked, and when.
@Suite struct HookTests {
  private let desk: Desk

  init() throws { desk = try Desk(Machine.described(), Gear.described()) }

  /// What machines were asked while one is imported.
  private func calls(_ json: String) async throws -> [String] {
    let report = try await desk.load("[\(json)]", as: "Machine")
    #expect(report.problemCount == 0)
    return Calls.take(desk.stack)
  }

  @Test func `an object is asked, then has its attributes, then its relationships`() async throws {
    let calls = try await calls(
      #"{"machineID": 7, "parts": [{"gearID": 1}, {"gearID": 2}], "label": "x"}"#)
    #expect(
      calls == [
        "shouldImport 7", "willImport", "importLabel x",
        #"shouldImportParts [{"gearID":1},{"gearID":2}]"#, "importParts", "gear 1 without host",
        "gear 2 without host", "didImport with 2 parts",
      ])
  }

  @Test func `a new object that says no does not stay, and is asked no more`() async throws {
    let calls = try await calls(#"{"machineID": 7, "skip": true, "label": "x", "parts": [1]}"#)
    #expect(calls == ["shouldImport 7"])
    #expect(try await desk.rows("Machine") == [])
    #expect(try await desk.rows("Gear") == [])
  }

  @Test func `an object that says no stays as it was`() async throws {
    try await desk.load(#"[{"machineID": 7, "weight": 1}]"#, as: "Machine")
    let report = try await desk.load(
      #"[{"machineID": 7, "weight": 2, "skip": true}]"#, as: "Machine")
    #expect(report.description == "1 machine: 1 declined")
    #expect(try await desk.rows("Machine", "weight") == ["1.0"])
  }

  @Test func `a child that says no is not linked, and does not stay`() async throws {
    try await desk.load(#"[{"gearID": 2, "teeth": 5}]"#, as: "Gear")
    _ = try await calls(
      """
      {"machineID": 7, "parts": [{"gearID": 1, "skip": true}, {"gearID": 2, "teeth": 6, "skip": true}]}
      """)
    #expect(try await desk.rows("Machine", "parts.gearID") == ["[]"])
    #expect(try await desk.rows("Gear", "gearID", "teeth") == ["2 5"])
  }

  @Test func `a function for an attribute gets the value as it is kept`() async throws {
    #expect(
      try await calls(#"{"machineID": 7, "weight": "1.50"}"#).contains("importWeight 1.5"))
    #expect(try await calls(#"{"machineID": 7, "weight": null}"#).contains("importWeight -1.0"))
    #expect(
      try await !calls(#"{"machineID": 7}"#).contains { $0.hasPrefix("importWeight") })
  }

  @Test func `a function that says true has done all, and one that says false nothing`()
    async throws
  {
    _ = try await calls(#"{"machineID": 1, "label": "quiet"}"#)
    _ = try await calls(#"{"machineID": 2, "label": "loud!"}"#)
    #expect(try await desk.rows("Machine", "machineID", "label") == ["1 quiet", "2 LOUD!"])
  }

  @Test func `a function without result has done all`() async throws {
    let calls = try await calls(#"{"machineID": 1, "note": "x"}"#)
    #expect(calls.contains("importNote x"))
    #expect(try await desk.rows("Machine", "note") == ["-"])
  }

  @Test func `whether comes before how, and a relationship that is not wanted stays`() async throws
  {
    let calls = try await calls(#"{"machineID": 1, "parts": [1, 2, 3]}"#)
    #expect(calls.contains("shouldImportParts [1,2,3]") && !calls.contains("importParts"))
    #expect(try await desk.rows("Machine", "parts.gearID") == ["[]"])
  }

  @Test func `a function for a relationship that says true has done all`() async throws {
    let calls = try await calls(#"{"machineID": 1, "parts": [1, 2, 3, 4]}"#)
    #expect(calls.contains("importParts"))
    #expect(try await desk.rows("Machine", "parts.gearID") == ["[]"])
  }

  @Test func `a function for a relationship is asked about null, too`() async throws {
    let calls = try await calls(#"{"machineID": 1, "parts": null}"#)
    #expect(calls.contains("shouldImportParts null"))
  }
}
