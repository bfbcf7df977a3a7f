import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite struct VerifyCommandTests {
  private let directory: TemporaryDirectory
  private let url: URL

  init() throws {
    (directory, url) = try Surgery.makeInDirectory()
  }

  private func damage() { #expect(RawDatabase(url).run("UPDATE ZDOCTOR SET ZCLINIC = 99") == nil) }

  @Test func `a good store ends with status 0 and one line`() throws {
    let run = try ToolRun("verify", url.path)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("\(url.path): no findings ("))
    #expect(run.lines.count == 1)
    #expect(run.errors.isEmpty)
  }

  @Test func `findings end with status 1 and a sentence each`() throws {
    damage()
    let run = try ToolRun("verify", url.path)
    #expect(run.status == 1)
    #expect(
      run.lines == [
        "\(url.path): 1 finding",
        "  link.dangling  Doctor.clinic leads to no Clinic in 4 rows (p1, p2, p3, p4).",
      ])
  }

  @Test func `JSON has the findings`() throws {
    damage()
    let run = try ToolRun("verify", "--json", url.path)
    #expect(run.status == 1)
    let findings = try #require(run.json()["findings"] as? [[String: Any]])
    #expect(findings.first?["kind"] as? String == "link.dangling")
    #expect(findings.first?["keys"] as? [Int] == [1, 2, 3, 4])
  }

  @Test func `colours and a bar come where somebody watches, and only there`() throws {
    damage()
    let plain = try ToolRun("verify", url.path)
    #expect(!plain.output.contains("\u{1B}") && plain.errors.isEmpty)
    let watched = try ToolRun("verify", url.path, isColoured: true, showsProgress: true)
    #expect(watched.output.contains("\u{1B}[31m1 finding\u{1B}[0m"))
    #expect(watched.errors.contains("█"))
    #expect(watched.errors.hasSuffix("\r\u{1B}[K"))
  }

  @Test func `a quick look leaves out indexes, but finds the rest`() throws {
    damage()
    #expect(try ToolRun("verify", "--quick", url.path).status == 1)
  }

  @Test(
    .enabled(if: Fixtures.exists("Moody") && Fixtures.exists("Recipes"), Fixtures.skip("Moody")),
    arguments: [
      "Moody/Moody.moody", "Moody/Moody 2.moody", "Moody/Moody 3.moody", "Moody/Moody 4.moody",
      "Moody/Moody 5.moody", "Recipes/Recipes.sqlite",
      "CoreDataPlus/SampleModel/Fixtures/SampleModel_V1.sqlite",
      "CoreDataPlus/SampleModel/Fixtures/SampleModel_V2.sqlite",
      "CoreDataPlus/SampleModel2/Fixtures/SampleModel2_V1.sqlite",
      "CoreDataPlus/SampleModel2/Fixtures/SampleModel2_V2.sqlite",
      "CoreDataPlus/SampleModel3/Fixtures/SampleModel3_V1.sqlite",
    ])
  func `what Apple's framework wrote has no findings`(fixture: String) throws {
    let copy = directory.file("store.sqlite")
    try FileManager.default.copyItem(at: #require(Fixtures.url(fixture)), to: copy)
    let run = try ToolRun("verify", copy.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }
}
