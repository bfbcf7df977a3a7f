import Cauldron
import Foundation
import TestSupport
import Testing

@Suite struct MoveCommandTests {
  private let directory: TemporaryDirectory
  private let url: URL

  init() throws {
    (directory, url) = try Surgery.makeInDirectory()
  }

  @Test func `a store is moved, and takes no file's place`() throws {
    let target = directory.file("moved.sqlite")
    #expect(try ToolRun("move", url.path, target.path).status == 0)
    #expect(try ToolRun("verify", target.path).status == 0)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try Surgery.make(url)
    let second = try ToolRun("move", url.path, target.path)
    #expect(second.status == 2)
    #expect(second.errors.contains("there is a file."))
  }

  @Test func `a store is destroyed unless somebody has it open`() throws {
    let stack = try Surgery.open(url)
    let refused = try ToolRun("destroy", url.path)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("[store.alreadyOpen]"))
    try stack.close()
    let run = try ToolRun("destroy", url.path)
    #expect(run.status == 0 && run.output.contains("clinics.sqlite is gone"))
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(try ToolRun("destroy", url.path).status == 0)
  }

  @Test func `metadata are shown, and the program's entries set and taken away`() throws {
    let shown = try ToolRun("metadata", url.path)
    #expect(shown.status == 0 && shown.output.contains("NSStoreUUID"))
    let set = try ToolRun("metadata", url.path, "--set", "note=a=b", "--set", "NSStoreType=XML")
    #expect(set.output.contains("a=b") && !set.output.contains("XML"))
    let removed = try ToolRun("metadata", url.path, "--remove", "note")
    #expect(removed.status == 0 && !removed.output.contains("a=b"))
    #expect(try ToolRun("metadata", directory.file("none.sqlite").path).status == 2)
  }
}
