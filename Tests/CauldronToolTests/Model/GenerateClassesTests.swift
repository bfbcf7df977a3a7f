import CauldronTool
import Foundation
import TestSupport
import Testing

/// `cauldron model generate`.
@Suite struct GenerateClassesTests {
  private let folder: ModelFolder
  private let path: String
  private let place: TemporaryDirectory

  init() throws {
    folder = try ModelFolder()
    place = try TemporaryDirectory()
    path = try folder.write(
      """
      <entity name="Note">
      <attribute name="title" attributeType="String" defaultValueString="New"/>
      </entity>
      """)
  }

  @Test func `classes are written to the standard output`() throws {
    let run = try ToolRun("model", "generate", path)
    #expect(run.status == 0)
    #expect(
      run.output.hasSuffix(
        """
        import Cauldron

        @Entity final class Note: ManagedObject {
          var title: String = "New"
        }

        """))
  }

  @Test func `a file that may have been edited is replaced by force alone`() throws {
    let file = place.file("Note.swift")
    #expect(try ToolRun("model", "generate", path, file.path).status == 0)
    #expect(try ToolRun("model", "generate", path, file.path).status == 0)
    try Data("edited".utf8).write(to: file)
    let run = try ToolRun("model", "generate", path, file.path)
    #expect(run.status == 2)
    #expect(run.errors.contains("is there already, and may have been edited."))
    #expect(try String(contentsOf: file, encoding: .utf8) == "edited")
    #expect(try ToolRun("model", "generate", path, file.path, "--force").status == 0)
    #expect(try String(contentsOf: file, encoding: .utf8).contains("class Note"))
  }

  @Test func `a class beside that derives from one with an underscore gets that one`() throws {
    try Data("@Entity final class Note: _Note {}".utf8).write(to: place.file("Note.swift"))
    let run = try ToolRun("model", "generate", path, "--beside", place.url.path)
    #expect(run.output.contains("@Entity(isBase: true) class _Note: ManagedObject {"))
  }

  @Test func `what classes cannot say is told with its line`() throws {
    let path = try folder.write(
      """
      <entity name="A"><attribute name="x" composite="Spot"/></entity>
      <composite name="Spot"><attribute name="y" attributeType="Double"/></composite>
      """)
    let run = try ToolRun("model", "generate", path)
    #expect(run.status == 1)
    #expect(run.errors.contains("A.x is left out"))
  }

  @Test func `a folder that is none is told`() throws {
    let run = try ToolRun("model", "generate", path, "--beside", "/none/Sources")
    #expect(run.status == 2)
    #expect(run.errors.contains("\"/none/Sources\" is no folder."))
  }

  @Test func `a drawing replaces no file that is there unless it is forced`() throws {
    let contents = "\(path)/contents"
    let before = try String(contentsOfFile: contents, encoding: .utf8)
    let run = try ToolRun("model", "graph", path, contents)
    #expect(run.status == 2)
    #expect(try String(contentsOfFile: contents, encoding: .utf8) == before)
    let file = place.file("notes.mmd")
    #expect(try ToolRun("model", "graph", path, file.path).status == 0)
    #expect(try ToolRun("model", "graph", path, file.path, "--brief", "--force").status == 0)
  }

  @Test(arguments: [
    "SELF == $OBJ", "SELF != $OBJ AND n > 3", "ANY cs == $C", "$C IN cs", "a == $A AND n IN $L",
    "a.x CONTAINS[cd] $T AND SELF == $O",
  ])
  func `a condition whose variables are objects is no finding`(condition: String) throws {
    let path = try folder.write(
      """
      <entity name="A">
      <attribute name="x" optional="YES" attributeType="String"/>
      <relationship name="bs" optional="YES" toMany="YES" deletionRule="Nullify" \
      destinationEntity="B" inverseName="a" inverseEntity="B"/>
      </entity>
      <entity name="B">
      <attribute name="n" optional="YES" attributeType="Integer 64"/>
      <relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="A" inverseName="bs" inverseEntity="A"/>
      <relationship name="cs" optional="YES" toMany="YES" deletionRule="Nullify" \
      destinationEntity="C" inverseName="b" inverseEntity="C"/>
      </entity>
      <entity name="C">
      <relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="B" inverseName="cs" inverseEntity="B"/>
      </entity>
      <fetchRequest name="t" entity="B" predicateString="\(condition.replacing(">", with: "&gt;"))"/>
      """)
    let run = try ToolRun("model", "check", path)
    #expect(run.status == 0, "\(run.output)")
  }
}
