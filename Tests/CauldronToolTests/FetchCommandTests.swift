import Cauldron
import Foundation
import TestSupport
import Testing

@Suite struct FetchCommandTests {
  private let directory: TemporaryDirectory
  private let url: URL

  init() throws {
    (directory, url) = try Surgery.makeInDirectory()
  }

  @Test func `objects are shown in columns, with keys, and sorted`() throws {
    let run = try ToolRun("fetch", url.path, "Badge", "--sort", "number:NO", "--limit", "2")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.lines == ["key  number  owner", "p4        4  p4", "p3        3  p3", "2 objects"])
  }

  @Test func `a condition reaches through relationships and to subentities`() throws {
    func names(_ condition: String) throws -> [String] {
      let run = try ToolRun(
        "fetch", url.path, "Doctor", "--where", condition, "--sort", "name", "--format", "csv")
      #expect(run.status == 0, "\(run.errors)")
      return run.output.components(separatedBy: "\r\n").dropFirst().dropLast().map { line in
        ["ada", "ben", "cem", "dag"].first { line.contains($0) } ?? line
      }
    }
    #expect(try names("name IN {'ada', 'dag'}") == ["ada", "dag"])
    #expect(try names("clinic.name == 'north'") == ["ada", "cem"])
    #expect(
      try names("ANY topics.title BEGINSWITH[cd] 'KN' AND badge.number > 2") == ["cem", "dag"])
    #expect(try names("name MATCHES '[a-c].*' AND fee == 12.5") == ["ada", "ben", "cem"])
    #expect(try names("SUBQUERY(topics, $t, $t.title == 'eye').@count == 1").count == 4)
    #expect(try names("name == \"x' OR 1=1 --\"") == [])
  }

  @Test func `CSV is quoted where that is needed, and nil is nothing`() throws {
    let stack = try Surgery.open(url)
    try stack.saveAndWait { local in
      Topic.create(in: local.context).title = "a,\"b\"\nc"
      Topic.create(in: local.context).title = ""
    }
    try stack.close()
    let run = try ToolRun("fetch", url.path, "Topic", "--format", "csv")
    #expect(run.output == "key,title\r\np1,knee\r\np2,eye\r\np3,\"a,\"\"b\"\"\nc\"\r\np4,\"\"\r\n")
    let clinics = try ToolRun("fetch", url.path, "Clinic", "--sort", "name", "--format", "csv")
    let lines = clinics.output.components(separatedBy: "\r\n")
    #expect(lines[0] == "key,head,name,page,token")
    #expect(lines[2].hasPrefix("p2,,south,https://south.example,"))
  }

  @Test func `JSON has one object to a line, with values of their types`() throws {
    let run = try ToolRun(
      "fetch", url.path, "Doctor", "--where", "name == 'dag'", "--format", "json")
    let list = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    #expect(list.count == 1)
    #expect(list[0]["key"] as? String == "p4")
    #expect(list[0]["entity"] as? String == "Surgeon")
    #expect(list[0]["isIn"] as? Bool == true)
    #expect(list[0]["age"] as? Int == 30)
    #expect(list[0]["fee"] as? Double == 12.5)
    #expect(list[0]["height"] as? Double == 1.7)
    #expect(list[0]["hired"] as? String == "2001-01-01T00:00:00Z")
    #expect(list[0]["clinic"] as? String == "p2")
    #expect(list[0]["mood"] as? String == "calm")
    let none = try ToolRun(
      "fetch", url.path, "Doctor", "--where", "FALSEPREDICATE", "--format", "json")
    #expect(none.output == "[\n]\n")
  }

  @Test func `what cannot be asked is told in one line, with status 2`() throws {
    func refusal(_ arguments: String...) throws -> String {
      let run = try ToolRun(["fetch", url.path] + arguments)
      #expect(run.status == 2)
      #expect(run.output.isEmpty)
      return run.errors
    }
    #expect(
      try refusal("Docter")
        == "error: The store has no entity \"Docter\". Did you mean \"Doctor\"?"
        + " [model.unknownEntity]\n")
    #expect(
      try refusal("Doctor", "--where", "nmae == 'x'")
        == "error: Doctor has no property \"nmae\". Did you mean \"name\"? [query.unknownKey]\n")
    #expect(
      try refusal("Doctor", "--where", "name == ").hasPrefix(
        "error: Cannot read the condition \"name == \": expected a value, found the end,"
          + " at character 9."))
    #expect(try refusal("Doctor", "--where", "age == %@").contains("argument 1 is missing"))
    #expect(try refusal("Doctor", "--sort", "name:UP").contains("is no direction"))
    #expect(try refusal("Doctor", "--sort", "agee").contains("Did you mean \"age\"?"))
    #expect(try refusal("Doctor", "--limit=-1").contains("[query.unsupported]"))
    #expect(try refusal("Doctor", "--where", "clinic == 5").contains("[query.typeMismatch]"))
    let missing = try ToolRun("fetch", directory.file("none.sqlite").path, "X", "--format", "json")
    #expect(missing.status == 2)
    let error = try #require(missing.json()["error"] as? [String: Any])
    #expect(error["code"] as? String == "store.cannotOpen")
  }

  @Test func `nothing is changed, and nothing appears beside the file`() throws {
    let before = try Data(contentsOf: url)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(try ToolRun("fetch", url.path, "Doctor").status == 0)
    #expect(try Data(contentsOf: url) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == files)
  }

  @Test func `a store that is open elsewhere is read with what is in its log`() throws {
    let stack = try Surgery.open(url)
    try stack.saveAndWait { local in Topic.create(in: local.context).title = "ear" }
    #expect(try ToolRun("fetch", url.path, "Topic", "--format", "csv").output.contains("ear"))
    try stack.close()
  }

  @Test func `a store without a copy of its model is refused`() throws {
    guard let fixture = Fixtures.url("Recipes/Recipes.sqlite") else { return }
    let copy = directory.file("recipes.sqlite")
    try FileManager.default.copyItem(at: fixture, to: copy)
    let run = try ToolRun("fetch", copy.path, "Recipe")
    #expect(run.status == 2)
    #expect(run.errors.contains("[migration.noSource]"))
  }
}
