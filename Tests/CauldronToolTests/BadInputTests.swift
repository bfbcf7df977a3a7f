import CSQLite
import Cauldron
import Foundation
import TestSupport
import Testing

/// What is no store, or cannot be read: one line with a remedy, and status 2.
@Suite struct BadInputTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Runs both commands that only look, and checks that they say one thing, and change nothing.
  private func refusal(_ path: String) throws -> String {
    let before = try? Data(contentsOf: URL(filePath: path))
    let verify = try ToolRun("verify", path)
    let inspect = try ToolRun("inspect", path)
    #expect(verify.status == 2 && inspect.status == 2)
    #expect(verify.output.isEmpty)
    #expect(verify.errors == inspect.errors)
    #expect(verify.errors.hasSuffix("]\n"))
    #expect(verify.errors.split(separator: "\n").count == 1)
    #expect((try? Data(contentsOf: URL(filePath: path))) == before)
    return verify.errors
  }

  @Test func `no file`() throws {
    let line = try refusal(directory.file("none.sqlite").path)
    #expect(line.contains("there is no such file. Check the path. [store.cannotOpen]"))
  }

  @Test func `a directory`() throws {
    #expect(try refusal(directory.url.path).contains("it is a directory. Check the path"))
  }

  @Test func `an empty file`() throws {
    let url = directory.file("empty.sqlite")
    try Data().write(to: url)
    #expect(try refusal(url.path).contains("the file is empty"))
  }

  @Test func `text, or a database that was encrypted`() throws {
    let url = directory.file("garbage.sqlite")
    try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }).write(to: url)
    #expect(try refusal(url.path).contains("not a SQLite database"))
    #expect(try refusal(url.path).contains("`cauldron restore`"))
  }

  @Test func `a database of another program`() throws {
    let url = directory.file("other.sqlite")
    var handle: OpaquePointer?
    sqlite3_open(url.path, &handle)
    sqlite3_exec(handle, "CREATE TABLE t (a)", nil, nil, nil)
    sqlite3_close(handle)
    #expect(try refusal(url.path).contains("[store.foreignDatabase]"))
  }

  @Test func `a store whose metadata are damaged`() throws {
    let url = directory.file("x.sqlite")
    try Surgery.make(url)
    #expect(RawDatabase(url).run("UPDATE Z_METADATA SET Z_PLIST = x'00'") == nil)
    #expect(try refusal(url.path).contains("[store.corrupt]"))
  }

  @Test func `a store from the future`() throws {
    let url = directory.file("x.sqlite")
    try Surgery.make(url)
    let list = try #require(
      Data(hexadecimal: RawDatabase(url).text("SELECT hex(Z_PLIST) FROM Z_METADATA")))
    var content = try #require(
      PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Any])
    content["NSStoreModelVersionHashesVersion"] = 4
    let new = try PropertyListSerialization.data(
      fromPropertyList: content, format: .binary, options: 0)
    let hex = new.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(RawDatabase(url).run("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'") == nil)
    #expect(try refusal(url.path).contains("version 4"))
  }

  @Test func `an interrupted transaction of a rollback journal`() throws {
    let url = directory.file("x.sqlite")
    try Surgery.make(url)
    // What a crash in the middle of a large transaction leaves.
    var handle: OpaquePointer?
    sqlite3_open(url.path, &handle)
    sqlite3_exec(
      handle,
      """
      PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN;
      UPDATE ZDOCTOR SET ZNAME = hex(randomblob(20000)); UPDATE ZTOPIC SET ZTITLE = hex(randomblob(20000))
      """, nil, nil, nil)
    let copy = directory.file("crashed.sqlite")
    try FileManager.default.copyItem(at: url, to: copy)
    try FileManager.default.copyItem(
      atPath: url.path + "-journal", toPath: copy.path + "-journal")
    sqlite3_close(handle)
    let line = try refusal(copy.path)
    #expect(line.contains("an interrupted save must be undone first"))
    #expect(line.contains("Open it once with the program that wrote it"))
  }

  @Test func `a log that a crash has left is read, and stays as it is`() throws {
    let url = directory.file("x.sqlite")
    try Surgery.make(url)
    let stack = try Surgery.open(url)
    try stack.saveAndWait { local in Topic.create(in: local.context).title = "ear" }
    let copy = directory.file("crashed.sqlite")
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: url.path + ending, toPath: copy.path + ending)
    }
    try stack.close()
    let log = try Data(contentsOf: URL(filePath: copy.path + "-wal"))
    #expect(try ToolRun("verify", copy.path).status == 0)
    #expect(
      try ToolRun("inspect", copy.path).lines.contains { $0.hasPrefix("Topic               3") })
    #expect(try Data(contentsOf: URL(filePath: copy.path + "-wal")) == log)
  }

  @Test func `errors are JSON, too, where that is asked for`() throws {
    let run = try ToolRun("verify", "--json", directory.file("none.sqlite").path)
    #expect(run.status == 2)
    let error = try #require(run.json()["error"] as? [String: Any])
    #expect(error["code"] as? String == "store.cannotOpen")
    #expect(error["remedy"] as? String == "Check the path.")
  }
}

extension Data {
  /// The bytes that a text of hexadecimal digits spells.
  init?(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    self.init(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
  }
}
