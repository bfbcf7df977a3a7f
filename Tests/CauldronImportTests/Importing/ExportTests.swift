import Cauldron
import Foundation
import TestSupport
import Testing

@Suite struct ExportTests {
  static let json = """
    [{"alpha_2": "DE", "name": "Germany \\"x\\"", "statistics": {"area": 0.1}, "population": 3,
      "updated": "2026-11-24T08:00:00.123456Z", "capital": {"name": "Berlin", "mayor": "k"},
      "subdivisions": [{"code": "b", "name": "B", "parent": "a"}, {"code": "a"}], "speaks": ["y", "x"]}]
    """

  @Test(arguments: 1...4) func whatIsExportedIsImportedAsUnchanged(depth: Int) async throws {
    let atlas = try Atlas()
    try await atlas.load(Self.json)
    let text = try await atlas.read { context in
      try Land.findAll(in: context).exportJSON(depth: depth)
    }
    let report = try await atlas.load(text)
    #expect(report.description == "1 land: 1 unchanged")
    let other = try Atlas()
    if depth == 1 { return }
    try await other.load(text)
    #expect(try await other.land("DE") == atlas.land("DE"))
  }

  @Test func anObjectIsWrittenAsItIsRead() async throws {
    let atlas = try Atlas()
    try await atlas.load(Self.json)
    let text = try await atlas.read { try Land.findFirst(in: $0)?.exportJSON() }
    #expect(
      text == """
        {"alpha_2":"DE","name":"Germany \\"x\\"","statistics":{"area":0.1},"population":3,\
        "updated":"2026-11-24T08:00:00.123456Z","subdivisions":["a","b"],"speaks":["y","x"],\
        "capital":"Berlin"}
        """)
  }

  @Test func whatWouldNotComeBackIsNotWritten() async throws {
    let atlas = try Atlas()
    let error = try await atlas.read { context -> CauldronError? in
      let land = Land.create(in: context)
      land.code = "x"
      land.name = "x"
      land.area = .infinity
      defer { land.delete() }
      do { _ = try land.exportJSON() } catch let error as CauldronError { return error }
      return nil
    }
    #expect(error?.code == .exportLossy)
    #expect(
      error?.description.hasPrefix("Cannot export Land.area: JSON has no form for its value")
        == true)
  }
}
