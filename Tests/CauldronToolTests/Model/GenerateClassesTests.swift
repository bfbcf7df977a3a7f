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
}
