import CauldronModelClasses
import CauldronModelXML
import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@testable import CauldronMacros

/// The classes that are made of models, as the macros read them.
struct GeneratedClassTests {
  @Test func `a model's classes read as if they were written by hand`() throws {
    let classes = try ModelClasses(source: Array(Self.office.utf8), head: "The classes.")
    #expect(classes.remarks == [])
    #expect(
      classes.text == #"""
        // The classes.

        import Cauldron
        import Foundation

        @Entity final class Company: ManagedObject {
          @Attribute(.unique, .length(1...40)) var name: String
          @Attribute(derived: "employees.@count") var headcount: Int
          @Relationship(deleteRule: .cascade) var employees: ToMany<Person>
        }

        @Entity(isAbstract: true) class Being: ManagedObject {
          var born: Date = Date(timeIntervalSinceReferenceDate: 0)
        }

        @Entity(originalName: "Human") final class Person: Being {
          #Index<Person>([\.rank, \.score])

          @Attribute(.range(0...5), isOptional: true) var rank: Int16 = 0
          var score: Double?
          @Attribute(userInfo: ["mappedKeyName": "mail"]) var `default`: String?
          // The bytes of a UIColor by ColorTransformer.
          @Attribute(type: .transformable) var color: Data?
          @Relationship(.required, inverse: \Company.employees) var employer: Company?
          @Relationship(inverse: "friends") var friends: ToMany<Person>
          @Relationship(isOneWay: true) var idol: Person?
        }

        """#)
  }

  @Test func `a class of the target that derives from one with an underscore gets its properties`()
    throws
  {
    let source = """
      import Cauldron // class Company: _Company
      import class Foundation.Thread
      public typealias Text = String
      let braces = pattern.contains(/"|\\{/)
      /* class Company: _Company */
      let text = "class Company: _Company { \\(texts["a"]!)"
      enum Old { class Company {} }
      @Entity public final class Person: _Person, Identifiable {}
      @Entity final class Company: ManagedObject {}
      """
    let declared = DeclaredClass.all(in: Array(source.utf8))
    #expect(declared.map(\.name) == ["Person", "Company"])
    #expect(declared.map(\.superclass) == ["_Person", "ManagedObject"])
    #expect(declared.map(\.visibility) == [.public, .internal])
    #expect(declared.map(\.line) == [8, 9])
    let classes = try ModelClasses(
      source: Array(Self.office.utf8), head: "Office", declared: declared)
    #expect(classes.classNames == ["Being", "_Person"])
    #expect(
      classes.text.contains(
        "@Entity(originalName: \"Human\", isBase: true) public class _Person: Being {"))
    // What a public class names is public, too.
    #expect(classes.text.contains("@Entity(isAbstract: true) public class Being: ManagedObject {"))
    // The class of the target may say itself which relationship leads back.
    #expect(classes.text.contains("inverse: \"employees\") public var employer: Company?"))
    #expect(classes.text.contains("inverse: \"friends\") public var friends: ToMany<Person>"))
  }

  @Test(arguments: [
    ("<entity name=\"A b\"/>", 2, "\"A b\" is no name in Swift; rename it in the model"),
    ("<entity name=\"A\"/><entity name=\"A\"/>", 2, "there are two entities named A"),
    (
      "<entity name=\"A\" parentEntity=\"B\"/>", 2, "A is below B, which is no entity"
    ),
    (
      "<entity name=\"A\">\n<attribute name=\"n\" attributeType=\"Integer 16\""
        + " defaultValueString=\"70000\"/></entity>", 3,
      "the default \"70000\" of n is no Integer 16"
    ),
    ("<entity name=\"A\" parentEntity=\"A\"/>", 2, "A is below itself"),
    (
      "<entity name=\"A\"><attribute name=\"n\"/></entity><entity name=\"B\""
        + " parentEntity=\"A\"><attribute name=\"n\"/></entity>", 2,
      "B has or inherits n already"
    ),
    (
      "<entity name=\"A\">\n<attribute name=\"u\" attributeType=\"URI\""
        + " defaultValueString=\"ht tp://[bad\"/></entity>", 3,
      "the default \"ht tp://[bad\" of u is no URI"
    ),
    (
      "<entity name=\"A\">\n<relationship name=\"r\" destinationEntity=\"B\"/></entity>", 3,
      "A.r leads to B, which is no entity"
    ),
  ])
  func `a model that has no classes is refused with its line`(
    body: String, line: Int, reason: String
  ) {
    #expect(throws: XMLFailure(line: line, reason)) {
      _ = try ModelClasses(source: Array("<model>\n\(body)</model>".utf8), head: "M")
    }
  }

  @Test(arguments: [
    ("final class NoteMO: _NoteMO {}", "mark the class NoteMO @Entity(\"Note\")"),
    ("@Entity final class NoteMO: _NoteMO {}", "mark the class NoteMO @Entity(\"Note\")"),
    (
      "@Entity(\"Note\") fileprivate final class NoteMO: _NoteMO {}",
      "NoteMO is private to its file"
    ),
    ("@Entity(\"Note\") final class NoteMO: _NoteMO {}", ""),
    ("class _Storage {}; class Storage: _Storage {}", ""),
  ])
  func `a class beside a made one has its entity's name`(source: String, mistake: String) throws {
    let model = "<model><entity name=\"Note\" representedClassName=\"App.NoteMO\"/></model>"
    let classes = try ModelClasses(
      source: Array(model.utf8), head: "M", declared: DeclaredClass.all(in: Array(source.utf8)))
    #expect(classes.mistakes.isEmpty == mistake.isEmpty)
    #expect(classes.mistakes.allSatisfy { $0.text.hasPrefix(mistake) })
  }

  @Test func `a class hides no type, and a copy of an entity has its own name`() throws {
    let source = """
      <model>
      <entity name="Admin" representedClassName="User" parentEntity="User"/>
      <entity name="Data"/>
      <entity name="User" representedClassName="User"/>
      </model>
      """
    let classes = try ModelClasses(source: Array(source.utf8), head: "M")
    #expect(classes.classNames == ["Admin", "DataObject", "User"])
    #expect(classes.text.contains("@Entity(\"Data\") final class DataObject: ManagedObject {}"))
  }

  @Test func `numbers at the ends of their types are written with all digits`() throws {
    let source = """
      <model><entity name="A">
      <attribute name="i" attributeType="Integer 64" minValueString="-9223372036854775808" \
      maxValueString="9223372036854775807" defaultValueString="9007199254740993"/>
      <attribute name="d" attributeType="Double" defaultValueString="-9223372036854775808"/>
      <attribute name="m" attributeType="Decimal" defaultValueString="-9223372036854775808"/>
      <attribute name="t" optional="YES" attributeType="Transformable" \
      valueTransformerName="T" customClassName="UIColor&#10;evil"/>
      </entity></model>
      """
    let text = try ModelClasses(source: Array(source.utf8), head: "M").text
    #expect(
      text.contains(
        "@Attribute(.range(-9223372036854775808...9223372036854775807))"
          + " var i: Int = 9007199254740993"))
    #expect(text.contains("var d: Double = -9.223372036854776e+18"))
    #expect(text.contains("var m: Decimal = Decimal(string: \"-9223372036854775808\")!"))
    #expect(text.contains("  // The bytes of a UIColor\\nevil by T.\n"))
  }

  @Test func `what a class cannot say is left out with a remark`() throws {
    let source = """
      <model><entity name="A">
      <attribute name="spot" composite="Spot"/>
      <attribute name="conflicts" attributeType="String"/>
      <attribute name="most" attributeType="Double" derived="YES" derivationExpression="as.@max.n"/>
      <relationship name="other" maxCount="1" destinationEntity="A" inverseName="entity"/>
      <uniquenessConstraints><uniquenessConstraint>
      <constraint value="conflicts"/></uniquenessConstraint></uniquenessConstraints>
      <fetchIndex name="i"><fetchIndexElement property="most" type="Binary"/></fetchIndex>
      </entity></model>
      """
    let classes = try ModelClasses(source: Array(source.utf8), head: "M")
    #expect(classes.remarks.map(\.line) == [2, 3, 4, 5])
    #expect(classes.text.contains("@Entity final class A: ManagedObject {}"))
  }

  /// `CAULDRON_MODEL_COUNT` sets how many models are tried.
  @Test func `the macros read from a random model's classes what its XML says`() throws {
    let count = ProcessInfo.processInfo.environment["CAULDRON_MODEL_COUNT"].flatMap(Int.init)
    for seed in 0..<(count ?? 150) {
      let model = RandomModelXML(seed: UInt64(seed))
      let text = XMLWriter.text(of: XMLDocument(root: model.root))
      let classes = try ModelClasses(source: Array(text.utf8), head: "M")
      #expect(classes.remarks == [], "seed \(seed)")
      let facts = try ClassFacts.all(in: classes.text)
      #expect(facts == model.facts, "seed \(seed)")
      if facts != model.facts { return }
    }
  }

  private static let office = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model>
        <entity name="Company" representedClassName=".Company">
            <attribute name="name" attributeType="String" minValueString="1" maxValueString="40"/>
            <attribute name="headcount" optional="YES" attributeType="Integer 64" derived="YES" \
    derivationExpression="employees.@count"/>
            <relationship name="employees" optional="YES" toMany="YES" deletionRule="Cascade" \
    destinationEntity="Person" inverseName="employer" inverseEntity="Person"/>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="name"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <entity name="Being" isAbstract="YES">
            <attribute name="born" attributeType="Date" defaultDateTimeInterval="0"/>
        </entity>
        <entity name="Person" parentEntity="Being" elementID="Human">
            <attribute name="rank" optional="YES" attributeType="Integer 16" minValueString="0" \
    maxValueString="5" defaultValueString="0" usesScalarValueType="YES"/>
            <attribute name="score" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
            <attribute name="default" optional="YES" attributeType="String">
                <userInfo>
                    <entry key="mappedKeyName" value="mail"/>
                </userInfo>
            </attribute>
            <attribute name="color" optional="YES" attributeType="Transformable" \
    valueTransformerName="ColorTransformer" customClassName="UIColor"/>
            <relationship name="employer" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Company" inverseName="employees" inverseEntity="Company"/>
            <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
            <relationship name="idol" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Person"/>
            <fetchIndex name="byRank">
                <fetchIndexElement property="rank" type="Binary" order="ascending"/>
                <fetchIndexElement property="score" type="Binary" order="ascending"/>
            </fetchIndex>
        </entity>
    </model>
    """
}
