import CauldronModel
import CauldronModelFile
import CauldronModelXML
import Foundation
import TestSupport
import Testing

/// Models as Xcode edits them.
@Suite(.againstHanging) struct SourceTests {
  private func model(_ entities: String) throws(XMLFailure) -> StoredModel {
    try StoredModel(
      source: Array(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="7">
        \(entities)
        </model>
        """.utf8))
  }

  private func attribute(_ text: String) throws -> AttributeDescription {
    let model = try model("<entity name=\"A\">\n<attribute name=\"x\" \(text)/>\n</entity>")
    return try #require(model.entities[0].attribute("x"))
  }

  @Test func `entities have their names, parents, notes and constraints`() throws {
    let model = try model(
      """
      <entity name="Base" isAbstract="YES" elementID="Thing" syncable="YES">
          <attribute name="id" attributeType="UUID"/>
          <uniquenessConstraints>
              <uniquenessConstraint>
                  <constraint value="id"/>
              </uniquenessConstraint>
          </uniquenessConstraints>
          <userInfo>
              <entry key="mappedKeyName" value="base"/>
          </userInfo>
      </entity>
      <entity name="Note" parentEntity="Base">
          <attribute name="title" optional="YES" attributeType="String"/>
          <fetchIndex name="byTitle">
              <fetchIndexElement property="title" type="Binary" order="ascending"/>
          </fetchIndex>
          <fetchIndex name="byTitleBackwards">
              <fetchIndexElement property="title" type="Binary" order="descending"/>
          </fetchIndex>
      </entity>
      """)
    #expect(model.versionIdentifiers == ["7"] && model.open.isEmpty)
    let (base, note) = (model.entities[0], model.entities[1])
    #expect(base.isAbstract && base.originalNames == ["Thing"])
    #expect(base.uniquenessConstraints == [["id"]])
    #expect(base.userInfo == ["mappedKeyName": "base"])
    #expect(note.superentity == "Base")
    var falling = IndexDescription(name: "byTitleBackwards", properties: ["title"])
    falling.descending = ["title"]
    #expect(note.indexes == [IndexDescription(name: "byTitle", properties: ["title"]), falling])
    #expect(
      note.attribute("title")?.isOptional == true && base.attribute("id")?.isOptional == false)
  }

  @Test func `relationships have their ends, counts and rules`() throws {
    let model = try model(
      """
      <entity name="A">
          <relationship name="many" optional="YES" toMany="YES" minCount="2" maxCount="5"
            deletionRule="Cascade" ordered="YES" destinationEntity="B" inverseName="one" inverseEntity="B"/>
      </entity>
      <entity name="B">
          <relationship name="one" maxCount="1" deletionRule="Deny" destinationEntity="A" inverseName="many"/>
      </entity>
      """)
    let many = try #require(model.entities[0].relationship("many"))
    let one = try #require(model.entities[1].relationship("one"))
    #expect(many.isToMany && many.isOrdered && many.isOptional && many.deleteRule == .cascade)
    #expect(many.minCount == 2 && many.maxCount == 5 && many.inverse == "one")
    #expect(!one.isToMany && !one.isOptional && one.deleteRule == .deny)
  }

  @Test(arguments: [
    (#"attributeType="Integer 16" defaultValueString="-7""#, AttributeScalar.integer(-7)),
    (#"attributeType="Integer 64" defaultValueString="0""#, .integer(0)),
    (#"attributeType="Boolean" defaultValueString="YES""#, .integer(1)),
    (#"attributeType="Double" defaultValueString="0.0""#, .real(0)),
    (#"attributeType="Decimal" defaultValueString="1.50""#, .text("1.5")),
    (#"attributeType="String" defaultValueString="a &amp; b""#, .text("a & b")),
    (#"attributeType="String" defaultValueString="""#, .text("")),
    (#"attributeType="Date" defaultDateTimeInterval="-978307200""#, .real(-978_307_200)),
    (#"attributeType="URI" defaultValueString="https://a.b""#, .text("https://a.b")),
  ])
  func `a default is read by the attribute's type`(
    _ text: String, _ expected: AttributeScalar
  ) throws {
    guard case .constant(let value) = try attribute(text).defaultValue else {
      Issue.record("there is no default")
      return
    }
    #expect(value == expected)
  }

  @Test func `bounds are rules`() throws {
    let age = try attribute(
      #"attributeType="Integer 16" minValueString="0" maxValueString="150""#)
    #expect(age.rules == [.range(0...150)])
    let name = try attribute(#"attributeType="String" minValueString="1""#)
    #expect(name.rules == [.length(1...)])
    let size = try attribute(#"attributeType="Float" minValueString="0.5""#)
    #expect(size.rules == [.range(0.5...)])
    let count = try attribute(#"attributeType="Integer 32" maxValueString="3.0""#)
    #expect(count.rules == [.range(...3)])
  }

  @Test(arguments: [
    #"attributeType="Double" minValueString="nan""#, #"attributeType="Float" maxValueString="inf""#,
    #"attributeType="Integer 16" minValueString="1.5""#,
    #"attributeType="String" maxValueString="long""#,
    #"attributeType="Double" minValueString="9" maxValueString="1""#,
    #"attributeType="Float" defaultValueString="1e39""#,
    #"attributeType="Double" defaultValueString="1e400""#,
  ])
  func `bounds and defaults that are no values are refused`(_ text: String) {
    #expect(throws: XMLFailure.self) { try attribute(text) }
  }

  @Test(arguments: [
    ("Integer 16", "NO", AttributeScalar.integer(0)), ("Integer 64", "YES", .integer(1)),
    ("Integer 32", " 7", .integer(7)), ("Integer 32", "1.5", .integer(1)),
    ("Boolean", "100", .integer(1)), ("Boolean", "false", .integer(0)),
    ("Boolean", "0.0", .integer(0)), ("Double", "NO", .real(0)), ("Float", "YES", .real(1)),
    ("Decimal", "NO", .text("0")),
  ])
  func `a default that an attribute kept from another type is read`(
    _ type: String, _ text: String, _ value: AttributeScalar
  ) throws {
    let attribute = try attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    guard case .constant(let found) = attribute.defaultValue else {
      Issue.record("no default")
      return
    }
    #expect(found == value)
  }

  @Test func `quoted spaces of an expression stay`() throws {
    let name = try attribute(
      #"attributeType="String" derived="YES" derivationExpression="a ++  &quot;, x &quot; ++ b""#)
    #expect(name.derivation == "a++\", x \"++b")
  }

  @Test func `an index on what no store keeps is left out`() throws {
    let model = try model(
      """
      <entity name="A">
          <attribute name="t" transient="YES" attributeType="String"/>
          <attribute name="s" attributeType="String"/>
          <fetchIndex name="byT"><fetchIndexElement property="t" type="Binary" order="ascending"/></fetchIndex>
      </entity>
      <entity name="B" parentEntity="A">
          <fetchIndex name="byS"><fetchIndexElement property="s" type="Binary" order="ascending"/></fetchIndex>
      </entity>
      """)
    #expect(model.entities.map { $0.indexes.map(\.name) } == [[], ["byS"]])
  }

  @Test func `flags and names enter the description`() throws {
    let photo = try attribute(
      #"attributeType="Binary" allowsExternalBinaryDataStorage="YES" elementID="image" "#
        + #"preserveAfterDeletion="YES" versionHashModifier="2" transient="YES""#)
    #expect(photo.allowsExternalBinaryDataStorage && photo.preservesValueInHistoryOnDeletion)
    #expect(photo.versionHashModifier == "2" && photo.isTransient)
    #expect(photo.originalNames == ["image"])
    let count = try attribute(
      #"attributeType="Integer 64" derived="YES" derivationExpression="pages.@count""#)
    #expect(count.derivation == "pages.@count")
  }

  @Test func `what is not understood is told, and makes no other entity unusable`() throws {
    let model = try model(
      """
      <entity name="A">
          <attribute name="cache" transient="YES"/>
          <relationship name="near" transient="YES" destinationEntity="A"/>
          <fetchedProperty name="recent" optional="YES"><fetchRequest name="r" entity="A"/></fetchedProperty>
      </entity>
      <entity name="B"><attribute name="place" attributeType="Vector"/></entity>
      <entity name="C" parentEntity="B"/>
      """)
    #expect(model.entities[0].properties.map(\.name) == ["cache", "near"])
    #expect(model.entities[0].attribute("cache")?.type == .undefined)
    #expect(model.entities[0].relationship("near")?.isTransient == true)
    #expect(model.open == ["B", "C"])
  }

  @Test(arguments: [
    ("<entity/>", 3, "<entity> has no name"),
    ("<entity name=\"A\"/>\n<entity name=\"A\"/>", 4, "the entity A is there already, in line 3"),
    (
      "<entity name=\"A\">\n<attribute name=\"x\" attributeType=\"Integer 16\" "
        + "defaultValueString=\"70000\"/></entity>", 4,
      "the default \"70000\" of x is no Integer 16"
    ),
    (
      "<entity name=\"A\">\n<relationship name=\"x\"/></entity>", 4,
      "<relationship> has no destinationEntity"
    ),
    (
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Date\"/>\n"
        + "<attribute name=\"x\" attributeType=\"Date\"/></entity>", 4,
      "A has two properties named x"
    ),
  ])
  func `a model that is wrong is refused with its line`(
    _ text: String, _ line: Int, _ reason: String
  ) {
    #expect(throws: XMLFailure(line: line, reason)) { try model(text) }
  }

  @Test func `what is written from descriptions is read again`() throws {
    let model = try StoredModel(source: Array(SampleModel.source.utf8))
    let again = try StoredModel(source: Array(model.source().utf8))
    #expect(again.lines == model.lines)
    #expect(again.source() == model.source())
    // XML has no default of bytes, and one identifier alone.
    let sample = SampleModel.stored
    #expect(try StoredModel(source: Array(sample.source().utf8)).hashes() == sample.hashes())
  }

  @Test(
    .enabled(if: Fixtures.exists("models"), Fixtures.skip("models")),
    arguments: SourceFixture.all)
  func `descriptions of an application's model are written with its hashes`(
    _ fixture: SourceFixture
  ) throws {
    let model = try StoredModel(source: fixture.bytes)
    let again = try StoredModel(source: Array(model.source().utf8))
    #expect(again.lines == model.lines)
    #expect(try again.hashes() == model.hashes())
    #expect(try StoredModel(archive: again.archive()).hashes() == model.hashes())
  }

  @Test(
    .enabled(if: Fixtures.exists("models"), Fixtures.skip("models")),
    arguments: SourceFixture.all)
  func `a model of an application is written as it was read`(_ fixture: SourceFixture) throws {
    let document = try XMLReader.document(fixture.bytes)
    #expect(Array(XMLWriter.text(of: document).utf8) == fixture.bytes)
  }

  @Test(
    .enabled(if: Fixtures.exists("models"), Fixtures.skip("models")),
    arguments: ModelFixture.all)
  func `the hashes of a source are those that Core Data computed`(_ fixture: ModelFixture) throws {
    let sources = SourceFixture.all.filter { $0.project == fixture.project }
    // Some projects have stores alone.
    if sources.isEmpty { return }
    let versions = try sources.map { source in
      let model = try StoredModel(source: source.bytes)
      return try model.hashes().filter { !model.open.contains($0.key) }
    }
    let known = fixture.hashes.filter { name, _ in versions.contains { $0[name] != nil } }
    #expect(!known.isEmpty)
    #expect(versions.contains { hashes in known.allSatisfy { hashes[$0.key] == $0.value } })
  }
}

/// The `contents` of a model that a public project has.
struct SourceFixture: CustomTestStringConvertible {
  let name: String
  /// The folder of the project.
  let project: String
  let bytes: [UInt8]

  var testDescription: String { name }

  /// Every fixture there is; none where they are absent.
  static let all: [SourceFixture] = {
    guard let root = Fixtures.url("."),
      let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    else { return [] }
    let urls = files.compactMap { $0 as? URL }.filter { $0.lastPathComponent == "contents" }
    return urls.sorted { $0.path < $1.path }.compactMap { url in
      guard let bytes = try? Data(contentsOf: url) else { return nil }
      return SourceFixture(
        name: url.deletingLastPathComponent().lastPathComponent, project: project(of: url),
        bytes: [UInt8](bytes))
    }
  }()

  /// The nearest folder that is no model.
  static func project(of url: URL) -> String {
    var folder = url.deletingLastPathComponent()
    while folder.pathExtension.hasPrefix("xcdatamodel") || folder.pathExtension == "momd" {
      folder.deleteLastPathComponent()
    }
    return folder.standardizedFileURL.path
  }
}
