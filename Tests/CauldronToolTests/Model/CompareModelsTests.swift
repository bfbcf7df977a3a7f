import CauldronTool
import Foundation
import TestSupport
import Testing

/// `cauldron model diff`: what a migration does and loses, and what needs none.
@Suite struct CompareModelsTests {
  private let folder: ModelFolder

  init() throws { folder = try ModelFolder() }

  /// The lines that are said of a change of an entity with a title, without the first one and the hashes.
  private func changes(from old: String = "", to new: String) throws -> [String] {
    let run = try ToolRun(
      "model", "diff", folder.write(entity: old, named: "Old"),
      folder.write(entity: new, named: "New"))
    #expect(run.errors.isEmpty)
    let isEqual = run.lines[0] == "Old → New: the version hashes are equal"
    #expect(run.status == (isEqual ? 0 : 1))
    let end = run.lines.firstIndex(of: "version hashes") ?? run.lines.count - 1
    return Array(run.lines[1..<end]) + run.lines.suffix(1)
  }

  private let fax = "<attribute name=\"fax\" optional=\"YES\" attributeType=\"String\"/>"

  @Test func `equal models have equal hashes, and status 0`() throws {
    #expect(try changes(to: "") == ["each opens the stores of the other as they are"])
  }

  @Test func `what comes loses nothing`() throws {
    #expect(
      try changes(to: fax) == ["a migration does", "  Note: + fax", "nothing is lost"])
  }

  @Test func `what goes is lost, with its type`() throws {
    #expect(
      try changes(from: fax, to: "") == [
        "and loses", "  Note.fax: String",
        "what is lost has to be allowed: see `cauldron migrate`",
      ])
  }

  @Test func `a renaming identifier keeps the values`() throws {
    let new =
      "<attribute name=\"mail\" optional=\"YES\" attributeType=\"String\" elementID=\"fax\"/>"
    #expect(
      try changes(from: fax, to: new) == [
        "a migration does", "  Note: fax → mail", "nothing is lost",
      ])
  }

  @Test func `types, presence, derivations and orders are told where they change`() throws {
    let old = """
      <attribute name="n" optional="YES" attributeType="Integer 16" defaultValueString="0"/>
      <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Note" inverseName="whole"/>
      <relationship name="whole" optional="YES" maxCount="1" destinationEntity="Note" inverseName="parts"/>
      """
    let new = """
      <attribute name="n" attributeType="Integer 64" defaultValueString="0"/>
      <relationship name="parts" optional="YES" toMany="YES" ordered="YES" destinationEntity="Note" inverseName="whole"/>
      <relationship name="whole" optional="YES" maxCount="1" destinationEntity="Note" inverseName="parts"/>
      """
    #expect(
      try changes(from: old, to: new) == [
        "a migration does",
        "  Note: n Int16 → Int, n optional → required, parts unordered → ordered",
        "nothing is lost",
      ])
  }

  @Test func `what no rule can infer is in the way`() throws {
    let new = "<attribute name=\"fax\" optional=\"YES\" attributeType=\"Date\"/>"
    let lines = try changes(from: fax, to: new)
    #expect(lines.contains("in the way is"))
    #expect(lines.last == "a store cannot be migrated as it stands")
    let required = try changes(to: "<attribute name=\"fax\" attributeType=\"String\"/>")
    #expect(
      required.contains("  Note.fax is new and required, and the objects of the store have none."))
  }

  @Test func `defaults, bounds, rules, indexes and templates need no migration`() throws {
    let old = """
      <attribute name="n" optional="YES" attributeType="Integer 16" defaultValueString="0"/>
      <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Note" inverseName="whole"/>
      <relationship name="whole" optional="YES" maxCount="1" destinationEntity="Note" inverseName="parts"/>
      """
    let new = """
      <attribute name="n" optional="YES" attributeType="Integer 16" minValueString="1"/>
      <relationship name="parts" optional="YES" toMany="YES" deletionRule="Deny" destinationEntity="Note" inverseName="whole"/>
      <relationship name="whole" optional="YES" maxCount="1" destinationEntity="Note" inverseName="parts"/>
      <fetchIndex name="byN"><fetchIndexElement property="n" type="Binary" order="ascending"/></fetchIndex>
      """
    #expect(
      try changes(from: old, to: new) == [
        "without a migration",
        "  Note: n default 0 → none, n bounds none → 1..., parts delete rule nullify → deny,",
        "    index byN none → n", "each opens the stores of the other as they are",
      ])
  }

  @Test func `entities that come, go and are renamed are told first`() throws {
    let old = "<entity name=\"Man\"/><entity name=\"Fax\"/>"
    let new = "<entity name=\"Person\" elementID=\"Man\"/><entity name=\"Mail\"/>"
    let run = try ToolRun(
      "model", "diff", folder.write(old, named: "Old"), folder.write(new, named: "New"))
    #expect(
      Array(run.lines[1...5]) == [
        "a migration does", "  + Mail", "  Person: renamed from Man", "and loses",
        "  all objects of Fax",
      ])
    #expect(run.lines.contains { $0.hasPrefix("  Man → Person  ") })
  }

  @Test func `the hashes are those of the models, and --all has the whole of them`() throws {
    let paths = [
      try folder.write(entity: "", named: "Old"), try folder.write(entity: fax, named: "New"),
    ]
    let hashes = try paths.map { path in
      let entities = try ToolRun("model", "show", "--json", path).json()["entities"]
      return try #require((entities as? [[String: Any]])?.first?["versionHash"] as? String)
    }
    let run = try ToolRun("model", "diff", paths[0], paths[1])
    #expect(
      run.output.contains("  Note  \(hashes[0].prefix(12))… → \(hashes[1].prefix(12))…\n"))
    let all = try ToolRun("model", "diff", paths[0], paths[1], "--all")
    #expect(all.output.contains("  Note: \(hashes[0]) → \(hashes[1])\n"))
    let json = try ToolRun("model", "diff", paths[0], paths[1], "--json").json()
    #expect(json["isEqual"] as? Bool == false)
    let changes = try #require(json["changes"] as? [[String: Any]])
    #expect(changes.map { $0["change"] as? String } == ["Note + fax"])
  }

  // MARK: Long lists

  @Test func `long lists are cut to a screen, and --all writes them out`() throws {
    let many = (0..<300).map {
      "<attribute name=\"attributeNumber\($0)\" optional=\"YES\" attributeType=\"String\"/>"
    }
    let paths = [
      try folder.write(entity: "", named: "Old"),
      try folder.write(entity: many.joined(), named: "New"),
    ]
    let run = try ToolRun("model", "diff", paths[0], paths[1])
    #expect(run.lines.count <= 24)
    #expect(run.lines.allSatisfy { $0.count <= 100 })
    #expect(run.lines.contains { $0.hasSuffix(" more; --all shows them") })
    let back = try ToolRun("model", "diff", paths[1], paths[0])
    #expect(back.lines.count <= 24)
    let all = try ToolRun("model", "diff", paths[1], paths[0], "--all")
    #expect(all.lines.count { $0.hasPrefix("  Note.attributeNumber") } == 300)
  }

  @Test func `short lists keep their lines where a long one is cut`() {
    var (long, short) = (FoldedLists.Section("long"), FoldedLists.Section("short"))
    for number in 0..<50 { long.add("\(number)") }
    for number in 0..<2 { short.add("s\(number)") }
    let lines = FoldedLists([long, FoldedLists.Section("empty"), short]).lines(most: 8)
    #expect(
      lines.map(\.text) == [
        "long", "  0", "  1", "  2", "  and 47 more; --all shows them", "short", "  s0", "  s1",
      ])
  }

  @Test(.enabled(if: Fixtures.exists("models/trailer"), Fixtures.skip("models/trailer")))
  func `each step of a public model with 44 versions fits on a screen`() throws {
    let path = try #require(Fixtures.url("models/trailer/Trailer.xcdatamodeld")).path
    let names = ModelVersions(path).names
    #expect(names.count == 44)
    #expect(names.prefix(3) == ["Trailer", "Trailer 2", "Trailer 3"])
    for (old, new) in zip(names, names.dropFirst()) {
      let run = try ToolRun("model", "diff", "--in", path, old, new)
      #expect(run.status == 1, "\(old)")
      #expect(run.errors.isEmpty, "\(old)")
      #expect(run.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
      for line in run.lines { #expect(line.count <= 100, "\(old): \(line)") }
    }
  }

  // MARK: Stores

  @Test(.enabled(if: Fixtures.exists("CoreDataPlus"), Fixtures.skip("CoreDataPlus")))
  func `what is lost of a store is counted, and the store stays as it is`() throws {
    let store = try #require(
      Fixtures.url("CoreDataPlus/SampleModel/Fixtures/SampleModel_V1.sqlite"))
    let copy = folder.directory.file("cars.sqlite")
    try FileManager.default.copyItem(at: store, to: copy)
    let model = try #require(
      Fixtures.url("CoreDataPlus/SampleModel/SampleModel.xcdatamodeld/SampleModel3.xcdatamodel"))
    let before = try Data(contentsOf: copy)
    let run = try ToolRun("model", "diff", copy.path, model.path)
    #expect(run.status == 1)
    #expect(run.lines.contains("  Car.maker: String (125 values)"))
    #expect(run.lines.last?.hasSuffix("145 rows would be written anew") == true)
    let json = try ToolRun("model", "diff", copy.path, model.path, "--json").json()
    let counts = (json["changes"] as? [[String: Any]])?.compactMap { $0["count"] as? Int }
    #expect(counts == [0, 125, 20])
    #expect(try Data(contentsOf: copy) == before)
    // Models alone know no counts.
    let back = try ToolRun("model", "diff", model.path, copy.path)
    #expect(!back.output.contains("values)"))
  }

  @Test(.enabled(if: Fixtures.exists("CoreDataPlus"), Fixtures.skip("CoreDataPlus")))
  func `a store that cannot be migrated says why, and is compared all the same`() throws {
    let places = ["V1", "V2"].map { "CoreDataPlus/SampleModel2/Fixtures/SampleModel2_\($0).sqlite" }
    let copies = try places.map { place in
      let url = try #require(Fixtures.url(place))
      let copy = folder.directory.file(url.lastPathComponent)
      try FileManager.default.copyItem(at: url, to: copy)
      return copy.path
    }
    let run = try ToolRun("model", "diff", "--all", copies[0], copies[1])
    #expect(run.status == 1)
    #expect(run.lines.contains("  Book: cover → frontCover"))
    #expect(run.output.contains("it keeps a history (table ACHANGE)"))
  }
}
