import Foundation
import TestSupport
import Testing

/// `cauldron model show`: all that a model says, and mapping models.
@Suite struct ShowModelTests {
  private let folder: ModelFolder

  init() throws { folder = try ModelFolder() }

  @Test func `a model is shown with all that its editor has, and hashes`() throws {
    let path = try folder.write(ModelFolder.pets)
    let run = try ToolRun("model", "show", path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.lines == [
        "\(path): 4 entities, 3 attributes, 3 relationships",
        "Cat: Pet",
        "  toy  → Toy  optional, no inverse, nullify",
        "  version hash: \(try hash("Cat", path))",
        "Person",
        "  age   Integer 16  optional, default 0",
        "  name  String      required, default \"ann\", length 1...40",
        "  pets  → [Pet]     optional, inverse owner, ordered, cascade",
        "  unique: name",
        "  index byAge: age descending",
        "  fetched property namesakes: Person where name == $FETCH_SOURCE.name",
        "  version hash: \(try hash("Person", path))",
        "Pet (abstract)",
        "  born   Date      optional",
        "  owner  → Person  required, inverse pets, nullify",
        "  renaming identifier: Animal",
        "  version hash: \(try hash("Pet", path))",
        "Toy",
        "  version hash: \(try hash("Toy", path))",
        "fetch request templates",
        "  adults: Person where age >= $LEAST, at most 10",
        "configurations",
        "  Local: Toy",
      ])
  }

  private func hash(_ entity: String, _ path: String) throws -> String {
    let json = try ToolRun("model", "show", path, "--json", "--entity", entity).json()
    let entities = try #require(json["entities"] as? [[String: Any]])
    return try #require(entities.first?["versionHash"] as? String)
  }

  @Test func `one entity is shown alone, and a misspelt one is told with the right name`() throws {
    let path = try folder.write(ModelFolder.pets)
    let run = try ToolRun("model", "show", path, "--entity", "Toy")
    #expect(run.lines.dropFirst().first == "Toy")
    #expect(run.lines.count == 3)
    let wrong = try ToolRun("model", "show", path, "--entity", "Persn")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("There is no entity \"Persn\""))
    #expect(wrong.errors.contains("Did you mean \"Person\"?"))
  }

  @Test func `JSON has each property with its traits`() throws {
    let json = try ToolRun("model", "show", "--json", folder.write(ModelFolder.pets)).json()
    let entities = try #require(json["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Cat", "Person", "Pet", "Toy"])
    let properties = try #require(entities[1]["properties"] as? [[String: Any]])
    let pets = try #require(properties.last?["traits"] as? [String: String])
    #expect(
      pets == [
        "presence": "optional", "inverse": "Pet.owner", "ordered": "yes", "delete rule": "cascade",
      ])
  }

  @Test func `a version of a directory is shown by its name, and others are listed`() throws {
    for name in ["Model 10", "Model 9"] {
      _ = try folder.write(
        "<entity name=\"E\(name.suffix(1))\"/>", named: "All.xcdatamodeld/\(name)")
    }
    let path = folder.directory.file("All.xcdatamodeld").path
    let run = try ToolRun("model", "show", path, "--version", "Model 9")
    #expect(run.lines.dropFirst().first == "E9")
    let wrong = try ToolRun("model", "show", path, "--version", "Model 8")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("It has \"Model 9\", \"Model 10\". [model.invalid]"))
  }

  @Test func `descriptions that make no model are shown, with the reason`() throws {
    let path = try folder.write(
      entity: """
        <relationship name="folder" maxCount="1" optional="YES" destinationEntity="Folder"/>
        """)
    let run = try ToolRun("model", "show", path)
    #expect(run.status == 0)
    #expect(run.lines[1].hasPrefix("no model yet: "))
    #expect(run.lines.contains("  version hash: unknown"))
  }

  @Test(arguments: ["show", "check", "graph"])
  func `what is no model is one line and status 2`(command: String) throws {
    let url = folder.directory.file("x.txt")
    try Data("hello".utf8).write(to: url)
    for path in [url.path, "/none.xcdatamodel"] {
      let run = try ToolRun("model", command, path)
      #expect(run.status == 2)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasSuffix("[model.invalid]\n"))
      #expect(run.errors.split(separator: "\n").count == 1)
    }
  }

  // MARK: Mapping models

  @Test(.enabled(if: Fixtures.exists("CoreDataPlus"), Fixtures.skip("CoreDataPlus")))
  func `a mapping model of Xcode is shown with the steps that take its place`() throws {
    let models = "CoreDataPlus/SampleModel/MappingModels/V2toV3.xcmappingmodel"
    let run = try ToolRun("model", "show", #require(Fixtures.url(models)).path)
    #expect(run.status == 0)
    #expect(
      run.lines[0] == "V2toV3.xcmappingmodel: SampleModel2 → SampleModel3, 5 entity mappings")
    let start = try #require(run.lines.firstIndex(of: "Person → Person"))
    #expect(
      Array(run.lines[(start + 1)...(start + 11)]) == [
        "  firstName     the value of that name",
        "  lastName      the value of that name",
        "  updatedAt     the value of that name",
        "  cars          the value of that name",
        "  previousCars  FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:"
          + "sourceInstances:\", \"cars\", $source.cars)",
        "  instead:",
        "    MigrationStep(\"Person\", needs: [\"Person.cars\"]) { step in",
        "      try step.each(\"Person\") { old, new in",
        "        for id in try old.links(\"cars\") { try new.link(\"previousCars\", to: id) }",
        "      }",
        "    }",
      ])
    #expect(run.output.contains("// What REPLACE_AT_RUNTIME.V2to3MakerPolicy does with each Car."))
    let json = try ToolRun("model", "show", "--json", #require(Fixtures.url(models)).path).json()
    #expect((json["entities"] as? [Any])?.count == 5)
  }

  @Test func `renamed, removed and added entities of a mapping model have the code for them`()
    throws
  {
    let path = try mapping(
      """
      <object type="XDDEVENTITYMAPPING" id="z2">
        <attribute name="sourcename" type="string">Man</attribute>
        <attribute name="destinationname" type="string">Person</attribute>
        <attribute name="mappingtypename" type="string">Transform</attribute>
      </object>
      <object type="XDDEVENTITYMAPPING" id="z3">
        <attribute name="sourcename" type="string">Fax</attribute>
        <attribute name="mappingnumber" type="int16">1</attribute>
      </object>
      <object type="XDDEVENTITYMAPPING" id="z4">
        <attribute name="destinationname" type="string">Mail</attribute>
        <attribute name="mappingnumber" type="int16">2</attribute>
      </object>
      """)
    let run = try ToolRun("model", "show", path)
    #expect(
      Array(run.lines.dropFirst()) == [
        "Man → Person (transform)", "  instead:",
        "    @Entity(originalName: \"Man\") final class Person",
        "− Fax", "  instead:", "    configuration.migration = .automatic(discarding: [\"Fax\"])",
        "+ Mail", "  instead:", "    // Nothing: Mail is new.",
      ])
  }

  @Test func `a compiled mapping model and a damaged one are refused in one line`() throws {
    let compiled = try ToolRun("model", "show", folder.directory.file("x.cdm").path)
    #expect(compiled.status == 2)
    #expect(compiled.errors.contains("it is compiled. Give the .xcmappingmodel"))
    let damaged = try ToolRun("model", "show", mapping("<object"))
    #expect(damaged.status == 2)
    #expect(damaged.errors.contains("line 2:"))
  }

  private func mapping(_ objects: String) throws -> String {
    let url = folder.directory.file("Map.xcmappingmodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let text = """
      <?xml version="1.0"?><database>
      <object type="XDDEVMAPPINGMODEL" id="z1"/>\(objects)</database>
      """
    try Data(text.utf8).write(to: url.appending(path: "xcmapping.xml"))
    return url.path
  }
}
