import CauldronTool
import Foundation
import TestSupport
import Testing

/// `cauldron model check`: each kind of finding in a small model.
@Suite struct CheckModelTests {
  private let folder: ModelFolder

  init() throws { folder = try ModelFolder() }

  /// A model, and the lines that are found in it.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let entities: String
    let lines: [String]
    var notes: [String] = []

    init(_ name: String, _ entities: String, lines: [String], notes: [String] = []) {
      testDescription = name
      self.entities = entities
      (self.lines, self.notes) = (lines, notes)
    }
  }

  @Test(arguments: relationships + deletions + attributes + names + fetches)
  func `is found`(_ sample: Case) throws {
    let path = try folder.write(sample.entities)
    let run = try ToolRun("model", "check", path, "--notes")
    let split = run.lines.firstIndex(of: "notes:") ?? run.lines.endIndex
    let count = sample.lines.count
    let verdict = count == 0 ? "no findings" : count == 1 ? "1 finding" : "\(count) findings"
    #expect(run.lines.first == "\(path): \(verdict)")
    // Columns are as wide as the widest kind.
    func plain(_ lines: ArraySlice<String>) -> [String] {
      lines.map { String($0.dropFirst(2)).replacing(/^(\S+) +/) { "\($0.1) " } }
    }
    #expect(plain(run.lines[1..<split]) == sample.lines)
    #expect(plain(run.lines[split...].dropFirst()) == sample.notes)
    #expect(run.status == (sample.lines.isEmpty ? 0 : 1))
  }

  @Test func `each kind of finding has a sample`() {
    let all = Self.relationships + Self.deletions + Self.attributes + Self.names + Self.fetches
    let lines = all.map { $0.lines + $0.notes }.joined()
    let told = Set(lines.map { line in String(line.prefix { $0 != " " }) })
    #expect(told == Set(ModelFinding.Kind.allCases.map(\.rawValue)))
  }

  @Test func `notes are counted, and JSON has them`() throws {
    let path = try folder.write(
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\"/></entity>")
    let run = try ToolRun("model", "check", path)
    #expect(run.lines == ["\(path): no findings", "1 note; --notes shows it"])
    let list = try #require(
      ToolRun("model", "check", "--json", path).json()["findings"] as? [[String: Any]])
    #expect(list.first?["kind"] as? String == "attribute.default")
    #expect(list.first?["entity"] as? String == "A")
    #expect(list.first?["isNote"] as? Bool == true)
  }

  @Test(.enabled(if: Fixtures.exists("CareKit"), Fixtures.skip("CareKit")))
  func `relationships of a public model that deny on both sides are found`() throws {
    let store = try #require(Fixtures.url("CareKit/SampleStore2.0.sqlite"))
    let copy = folder.directory.file("care.sqlite")
    try FileManager.default.copyItem(at: store, to: copy)
    let run = try ToolRun("model", "check", copy.path)
    #expect(run.status == 1)
    #expect(run.output.contains("OCKCDPatient.name and OCKCDPersonName.patient deny on both sides"))
  }
}

// MARK: Samples

extension CheckModelTests {
  /// Two entities with a relationship each.
  private static func pair(
    _ a: String, _ b: String, rules: (String, String) = ("Nullify", "Nullify")
  ) -> String {
    """
    <entity name="A"><relationship name="b" deletionRule="\(rules.0)" destinationEntity="B" \(a)/></entity>
    <entity name="B"><relationship name="a" deletionRule="\(rules.1)" destinationEntity="A" \(b)/></entity>
    """
  }

  private static let one = "optional=\"YES\" maxCount=\"1\""
  private static let many = "optional=\"YES\" toMany=\"YES\""
  private static func to(_ inverse: String) -> String { "inverseName=\"\(inverse)\"" }

  static let relationships = [
    Case(
      "a relationship without inverse",
      """
      <entity name="A"><relationship name="b" \(one) destinationEntity="B"/></entity><entity name="B"/>
      """,
      lines: [
        "relationship.oneWay A.b has no inverse: when the B is deleted, the reference to it stays. Give B"
          + " a relationship that leads back."
      ]),
    Case(
      "an inverse that names another one",
      """
      <entity name="A">
        <relationship name="b" \(one) destinationEntity="B" inverseName="a"/>
        <relationship name="c" \(one) destinationEntity="B" inverseName="a"/>
      </entity>
      <entity name="B"><relationship name="a" \(one) destinationEntity="A" inverseName="c"/></entity>
      """,
      lines: [
        "relationship.inverse B.a, the inverse of A.b, has c for its inverse. Have each name the"
          + " other, or give A.b another inverse."
      ]),
    Case(
      "an inverse that is missing", pair("\(one) \(to("x"))", "\(one) \(to("b"))"),
      lines: [
        "relationship.inverse The inverse of A.b is B.x, which is no relationship. Have each name the"
          + " other, or give A.b another inverse.",
        "relationship.inverse A.b, the inverse of B.a, has x for its inverse. Have each name the"
          + " other, or give B.a another inverse.",
      ]),
    Case(
      "a destination that is missing",
      "<entity name=\"A\"><relationship name=\"b\" \(one) destinationEntity=\"B\"/></entity>",
      lines: [
        "relationship.destination A.b leads to B, which is not in the model. Add the entity, or name"
          + " another destination."
      ]),
    Case(
      "relationships that lead back", pair("\(many) \(to("a"))", "\(one) \(to("b"))"), lines: []),
  ]

  static let deletions = [
    Case(
      "denial on both sides",
      pair("\(one) \(to("a"))", "\(one) \(to("b"))", rules: ("Deny", "Deny")),
      lines: [
        "deleteRule.deny A.b and B.a deny on both sides: objects that are linked can never be deleted."
          + " Let one of them nullify or cascade."
      ]),
    Case(
      "cascades on both sides of many",
      pair("\(many) \(to("a"))", "\(one) \(to("b"))", rules: ("Cascade", "Cascade")),
      lines: [
        "deleteRule.cascade A.b and B.a cascade on both sides: deleting one object deletes all that are"
          + " linked to it, near or far. Let one of them nullify, unless that is meant."
      ]),
    Case(
      "cascades on both sides of one",
      pair("\(one) \(to("a"))", "\(one) \(to("b"))", rules: ("Cascade", "Cascade")), lines: [],
      notes: [
        "deleteRule.cascade A.b and B.a cascade on both sides: each is deleted with the other. Let one"
          + " of them nullify, unless that is meant."
      ]),
    Case(
      "cascades through three entities",
      ["AB", "BC", "CA"].map { names in
        let (here, there) = (names.prefix(1), names.suffix(1))
        let before = names == "AB" ? "C" : names == "BC" ? "A" : "B"
        return """
          <entity name="\(here)">
          <relationship name="to\(there)" \(many) deletionRule="Cascade" destinationEntity="\(there)" \
          inverseName="from\(here)"/>
          <relationship name="from\(before)" \(one) destinationEntity="\(before)" inverseName="to\(here)"/>
          </entity>
          """
      }.joined(),
      lines: [
        "deleteRule.cascade A.toB, B.toC, C.toA cascade in a circle: deleting one A may delete another."
          + " Let one of them nullify, unless that is meant."
      ]),
    Case(
      "a tree of one entity",
      """
      <entity name="A">
      <relationship name="children" \(many) deletionRule="Cascade" destinationEntity="A" inverseName="parent"/>
      <relationship name="parent" \(one) destinationEntity="A" inverseName="children"/>
      </entity>
      """, lines: []),
    Case(
      "an inverse that is required and nullified",
      pair("\(many) \(to("a"))", "maxCount=\"1\" \(to("b"))"),
      lines: [
        "deleteRule.nullify A.b nullifies: deleting the A sets B.a to nil, which is required, and the"
          + " save fails. Let A.b cascade or deny, or make B.a optional."
      ]),
    Case(
      "no action",
      pair("\(many) \(to("a"))", "\(one) \(to("b"))", rules: ("No Action", "Nullify")),
      lines: [
        "deleteRule.noAction A.b has the rule No Action: when the A is deleted, B.a leads to an object"
          + " that is gone. Let A.b nullify, cascade or deny."
      ]),
  ]

  static let attributes = [
    Case(
      "a default outside of its bounds",
      """
      <entity name="A">
      <attribute name="n" attributeType="Integer 16" minValueString="1" maxValueString="5" defaultValueString="0"/>
      <attribute name="t" attributeType="String" minValueString="3" defaultValueString="ab"/>
      <attribute name="d" attributeType="Double" minValueString="0.5" defaultValueString="0.5"/>
      </entity>
      """,
      lines: [
        "attribute.bounds The default 0 of A.n is outside of its bounds (1...5): a new object cannot be"
          + " saved as it is. Change the default or the bounds.",
        "attribute.bounds The default \"ab\" of A.t is outside of its bounds (length 3...): a new object"
          + " cannot be saved as it is. Change the default or the bounds.",
      ]),
    Case(
      "a required attribute without default",
      """
      <entity name="A"><attribute name="n" attributeType="String"/>
      <attribute name="t" transient="YES" attributeType="String"/></entity>
      """, lines: [],
      notes: [
        "attribute.default A.n is required and has no default. Set it in each new object, or give it a"
          + " default."
      ]),
    Case(
      "what is unique and optional",
      """
      <entity name="A"><attribute name="n" optional="YES" attributeType="String"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="n"/></uniquenessConstraint>
      </uniquenessConstraints></entity>
      """,
      lines: [],
      notes: [
        "unique.optional A.n is unique and optional: nil is equal to nothing, so that any number of"
          + " objects may have none. Make it required, unless that is meant."
      ]),
    Case(
      "an abstract entity without subentity", "<entity name=\"A\" isAbstract=\"YES\"/>",
      lines: [
        "entity.unused A is abstract and has no subentity: it has no objects. Make it concrete, or"
          + " remove it."
      ]),
    Case(
      "a type that is not known",
      """
      <entity name="A"><attribute name="n" optional="YES" attributeType="Matrix"/></entity>
      <entity name="B" parentEntity="A"/>
      """,
      lines: [
        "entity.partial A.n is not understood, and left out: no store can be made of the model. Give it"
          + " a type that is known, or make it transient."
      ]),
  ]

  static let names = [
    Case(
      "names that differ in capitals",
      """
      <entity name="Ab"><attribute name="nm" optional="YES" attributeType="String"/></entity>
      <entity name="C" parentEntity="Ab"><attribute name="Nm" optional="YES" attributeType="String"/></entity>
      <entity name="AB"/>
      """,
      lines: [
        "name.twice The entities AB and Ab differ in capitals alone: they would have one table. Give"
          + " one of them another name.",
        "name.twice C.Nm and C.nm differ in capitals alone. Give one of them another name.",
      ]),
    Case(
      "keywords, members and what is no name",
      """
      <entity name="Type">
      <attribute name="default" optional="YES" attributeType="String"/>
      <attribute name="isDeleted" optional="YES" attributeType="Boolean"/>
      <attribute name="first-name" optional="YES" attributeType="String"/>
      </entity>
      """,
      lines: [
        "name.keyword The entity Type is a keyword of Swift. Give its class another name, or the entity.",
        "name.keyword Type.default is a keyword of Swift. Write it as `default` in classes, or give it"
          + " another name.",
        "name.spelling Type.first-name is no name that Swift takes for a property. Use letters, digits"
          + " and underscores.",
        "name.member Type.isDeleted has the name of a member of every managed object. Give it another"
          + " name, and this one as its renaming identifier.",
      ]),
    Case(
      "a mistake that no check knows", "<entity name=\"A\" parentEntity=\"B\"/>",
      lines: [
        "model.invalid Cannot build the model: A: its superentity \"B\" is not in the model. Correct"
          + " it: no store can be made of the model."
      ]),
  ]

  static let fetches = [
    Case(
      "templates and fetched properties",
      """
      <entity name="A"><attribute name="n" optional="YES" attributeType="String"/>
      <fetchedProperty name="f"><fetchRequest name="r" entity="A" predicateString="n == "/></fetchedProperty>
      <fetchedProperty name="g"><fetchRequest name="r" entity="A" predicateString="n == $FETCH_SOURCE.n"/></fetchedProperty>
      </entity>
      <fetchRequest name="lost" entity="B"/>
      <fetchRequest name="wrong" entity="A" predicateString="m == $X"/>
      <fetchRequest name="good" entity="A" predicateString="n CONTAINS[c] $X AND n IN $LIST"/>
      """,
      lines: [
        "fetch.entity The template lost fetches B, which is not in the model. Name another entity, or"
          + " remove it.",
        "fetch.condition The template wrong has a condition that cannot be asked: A has no property"
          + " \"m\". Correct it; the article on queries has the grammar.",
        "fetch.condition A.f has a condition that cannot be asked: Cannot read the condition \"n == \":"
          + " expected a value, found the end, at character 6. Correct it; the article on queries has the"
          + " grammar.",
      ]),
    Case(
      "needless indexes",
      """
      <entity name="A">
      <attribute name="a" optional="YES" attributeType="String"/>
      <attribute name="b" optional="YES" attributeType="String"/>
      <attribute name="c" optional="YES" transient="YES" attributeType="String"/>
      <fetchIndex name="both"><fetchIndexElement property="a" type="Binary" order="ascending"/>
      <fetchIndexElement property="b" type="Binary" order="ascending"/></fetchIndex>
      <fetchIndex name="first"><fetchIndexElement property="a" type="Binary" order="ascending"/></fetchIndex>
      <fetchIndex name="down"><fetchIndexElement property="a" type="Binary" order="descending"/></fetchIndex>
      <fetchIndex name="again"><fetchIndexElement property="a" type="Binary" order="descending"/></fetchIndex>
      <fetchIndex name="none"><fetchIndexElement property="c" type="Binary" order="ascending"/></fetchIndex>
      </entity>
      """,
      lines: [
        "index.needless The index A.first (a) is needless: both begins with the same properties. Remove"
          + " it; each save has to write it.",
        "index.needless The index A.again (a descending) is needless: it is the same as down. Remove it;"
          + " each save has to write it.",
        "index.property The index A.none names c, which is no stored property: no store has the index."
          + " Remove it, or name another property.",
      ]),
  ]
}
