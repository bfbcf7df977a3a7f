import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite struct BackupCommandTests {
  private let directory: TemporaryDirectory
  private let url: URL

  init() throws {
    (directory, url) = try Surgery.makeInDirectory()
  }

  private func topics(_ url: URL) -> String { RawDatabase(url).text("SELECT count(*) FROM ZTOPIC") }

  @Test func `a store that is in use is copied with what is in its log, and restored`() throws {
    let stack = try Surgery.open(url)
    try stack.saveAndWait { local in Topic.create(in: local.context).title = "ear" }
    let backup = try ToolRun("backup", url.path)
    #expect(backup.status == 0, "\(backup.errors)")
    try stack.close()
    let copy = directory.file("clinics.backup.sqlite")
    #expect(topics(copy) == "3")
    #expect(try ToolRun("verify", copy.path).status == 0)
    #expect(RawDatabase(url).run("DELETE FROM ZTOPIC") == nil)
    #expect(try ToolRun("restore", url.path).status == 0)
    #expect(topics(url) == "3")
    #expect(try ToolRun("verify", url.path).status == 0)
  }

  @Test func `a copy may lie elsewhere, and takes no file's place unasked`() throws {
    let copy = directory.file("copy.sqlite")
    #expect(try ToolRun("backup", url.path, copy.path).status == 0)
    let second = try ToolRun("backup", url.path, copy.path)
    #expect(second.status == 2)
    #expect(second.errors.contains("there is a file. Give another path, or --force."))
    #expect(try ToolRun("backup", url.path, copy.path, "--force").status == 0)
    #expect(RawDatabase(url).run("DELETE FROM ZTOPIC") == nil)
    #expect(try ToolRun("restore", url.path, copy.path).status == 0)
    #expect(topics(url) == "2")
  }

  @Test func `a store that is garbage by now is restored, and what it was is kept aside`() throws {
    #expect(try ToolRun("backup", url.path).status == 0)
    try Data("garbage".utf8).write(to: url)
    #expect(try ToolRun("restore", url.path).status == 0)
    #expect(topics(url) == "2")
    let aside = directory.file("clinics.set-aside.sqlite")
    #expect(try Data(contentsOf: aside) == Data("garbage".utf8))
  }

  @Test func `a damaged store is not copied`() throws {
    let page = Int(
      RawDatabase(url).text("SELECT rootpage FROM sqlite_master WHERE name = 'ZTOPIC'"))
    #expect(RawDatabase(url).run("PRAGMA journal_mode = DELETE") == nil)
    try RawDatabase(url).overwrite(
      at: (#require(page) - 1) * 4096, [UInt8](repeating: 0, count: 4096))
    let run = try ToolRun("backup", url.path)
    #expect(run.status == 1)
    #expect(run.errors.contains("The store was not copied"))
    #expect(!FileManager.default.fileExists(atPath: directory.file("clinics.backup.sqlite").path))
  }

  @Test func `without a copy, or from a file that is none, the store stays as it is`() throws {
    let before = try Data(contentsOf: url)
    let none = try ToolRun("restore", url.path)
    #expect(none.status == 2)
    #expect(none.errors.contains("`cauldron backup` makes one. [store.noBackup]"))
    let text = directory.file("x.txt")
    try Data("hello".utf8).write(to: text)
    #expect(try ToolRun("restore", url.path, text.path).status == 2)
    #expect(try Data(contentsOf: url) == before)
  }
}
