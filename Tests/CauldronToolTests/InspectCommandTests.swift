import Foundation
import TestSupport
import Testing

@Suite struct InspectCommandTests {
  private let directory: TemporaryDirectory
  private let url: URL

  init() throws {
    (directory, url) = try Surgery.makeInDirectory()
  }

  @Test(.enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time"))
  func `entities whose parents go round in a circle are listed in proportion`() throws {
    let growth = try Growth.ofFourfold(400) { count in
      let file = directory.file("\(count).sqlite")
      try? FileManager.default.removeItem(at: file)
      try FileManager.default.copyItem(at: url, to: file)
      let problem = RawDatabase(file).run(
        """
        WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < \(100 + count))
        INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, CASE i WHEN \(100 + count) THEN 100 ELSE i + 1 END, 0
        FROM n
        """)
      #expect(problem == nil)
      return {
        let run = try ToolRun("inspect", file.path)
        #expect(run.status == 0)
      }
    }
    #expect(growth < Growth.limit)
  }

  @Test func `entities are listed with rows, properties and unique keys, in columns`() throws {
    let run = try ToolRun("inspect", url.path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let start = try #require(run.lines.firstIndex { $0.hasPrefix("entity") })
    #expect(
      Array(run.lines[start...]) == [
        "entity           rows  attributes  relationships  unique",
        "Badge               4           1              1",
        "Clinic              2           3              2  name",
        "Doctor              3           8              3",
        "Surgeon: Doctor     1           1              1",
        "Topic               2           1              1",
        "links                          rows  table",
        "Doctor.topics ↔ Topic.doctors     8  Z_3TOPICS",
      ])
    #expect(run.lines.contains { $0.contains("its copy is complete") })
  }

  @Test func `properties are shown where that is asked for`() throws {
    let run = try ToolRun("inspect", "--properties", url.path)
    #expect(run.lines.contains("    head: Surgeon?, inverse runs"))
    #expect(run.lines.contains("    staff: [Doctor], ordered, inverse clinic"))
  }

  @Test func `JSON has everything`() throws {
    let list = try ToolRun("inspect", "--json", url.path).json()
    #expect(list["path"] as? String == url.path)
    #expect(list["modelCopy"] as? String == "complete")
    let entities = try #require(list["entities"] as? [[String: Any]])
    #expect(entities.map { $0["rows"] as? Int } == [4, 2, 3, 1, 2])
    #expect(entities[3]["parent"] as? String == "Doctor")
  }

  @Test func `a store of 2009 has no copy of its model, and its rows are counted all the same`()
    throws
  {
    guard let fixture = Fixtures.url("Recipes/Recipes.sqlite") else { return }
    let copy = directory.file("recipes.sqlite")
    try FileManager.default.copyItem(at: fixture, to: copy)
    let run = try ToolRun("inspect", copy.path)
    #expect(run.lines.contains { $0.hasPrefix("Ingredient    31") })
    #expect(run.lines.contains { $0.contains("no copy") })
  }
}
