import Cauldron
import CauldronTool
import Foundation
import TestSupport
import Testing

/// Texts of a file on their way to a terminal.
@Suite struct TerminalTests {
  private let directory: TemporaryDirectory
  private let url: URL
  /// Erases the screen, rings, turns the direction, and does it all again with the one-byte forms.
  private static let hostile = "a\u{1B}[2J\u{7}\u{202E}b\u{9B}31m\r\n\u{2028}c\u{200F}"
  private static let quoted = hostile.replacing("'", with: "''")

  init() throws {
    (directory, url) = try Surgery.makeInDirectory()
  }

  /// The scalars of a text that a terminal acts on, but the ends of lines.
  private func acting(_ text: String) -> [Unicode.Scalar] {
    text.replacing("\r\n", with: "\n").unicodeScalars.filter { scalar in
      scalar != "\n"
        && (scalar.properties.generalCategory == .control || scalar.value == 0x61C
          || [0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069].contains {
            $0.contains(scalar.value)
          })
    }
  }

  private func damage(_ sql: String) throws {
    let problem = RawDatabase(url).run(sql)
    try #require(problem == nil, "\(problem ?? "")")
  }

  @Test(arguments: ["table", "csv", "json"])
  func `a value of a row does not act on the terminal in any form`(_ format: String) throws {
    try damage("UPDATE ZTOPIC SET ZTITLE = '\(Self.quoted)' WHERE Z_PK = 1")
    let run = try ToolRun("fetch", url.path, "Topic", "--format", format, isTerminal: true)
    #expect(run.status == 0)
    #expect(acting(run.output).isEmpty, "\(run.output.debugDescription)")
    #expect(format == "json" || run.output.contains(#"\u{1B}[2J\u{7}\u{202E}b\u{9B}31m"#))
  }

  @Test func `forms for programs have the very values`() throws {
    try damage("UPDATE ZTOPIC SET ZTITLE = '\(Self.quoted)' WHERE Z_PK = 1")
    let json = try ToolRun("fetch", url.path, "Topic", "--format", "json")
    let list = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(
      list.contains { ($0["title"] as? String)?.utf8.elementsEqual(Self.hostile.utf8) == true })
    let csv = try ToolRun("fetch", url.path, "Topic", "--format", "csv")
    #expect(csv.output.unicodeScalars.contains("\u{1B}"))
    #expect(csv.output.contains(Self.hostile))
  }

  @Test(arguments: [
    ["inspect"], ["inspect", "--properties"], ["inspect", "--json"], ["verify"],
    ["verify", "--json"],
  ])
  func `a name or a finding does not act on the terminal`(_ arguments: [String]) throws {
    try damage(
      """
      UPDATE Z_METADATA SET Z_UUID = '\(Self.quoted)';
      INSERT INTO Z_PRIMARYKEY VALUES (900, '\(Self.quoted)', 0, 0);
      UPDATE ZDOCTOR SET ZHOURS = '\(Self.quoted)', ZMOOD = '\(Self.quoted)';
      CREATE TABLE "Z\(Self.quoted)" (Z_PK, Z_ENT, Z_OPT);
      """)
    let run = try ToolRun(arguments + [url.path], isTerminal: true, isColoured: false)
    #expect(run.output.contains("2J") || run.output.contains("finding"), "\(run.errors)")
    #expect(acting(run.output + run.errors).isEmpty, "\(run.output.debugDescription)")
    if arguments.contains("--json") { _ = try run.json() }
  }

  @Test func `an error does not act on the terminal`() throws {
    let run = try ToolRun("fetch", url.path, Self.hostile, isTerminal: true)
    #expect(run.status == 2)
    #expect(acting(run.output + run.errors).isEmpty, "\(run.errors.debugDescription)")
    let copy = try ToolRun("backup", url.path, "/nowhere/\(Self.hostile)", isTerminal: true)
    #expect(copy.status == 2)
    #expect(acting(copy.output + copy.errors).isEmpty, "\(copy.errors.debugDescription)")
  }

  @Test func `a bar shows the path with its controls written out`() throws {
    let path = directory.file("a\u{9B}31m.sqlite").path
    try FileManager.default.copyItem(atPath: url.path, toPath: path)
    let run = try ToolRun("backup", path, isTerminal: true, showsProgress: true)
    #expect(run.status == 0)
    let bars = run.errors.replacing("\r\u{1B}[K", with: "")
    #expect(bars.contains(#"\u{9B}31m"#))
    #expect(acting(bars + run.output).isEmpty)
  }

  @Test func `a line has its own colours alone`() throws {
    #expect(ConsoleLine("a\u{1B}[31mb").text == #"a\u{1B}[31mb"#)
    let name = "\u{1B}]0;title\u{7}"
    let line: ConsoleLine = "<\(name)> \(ConsoleLine(name))"
    #expect(line.text == #"<\u{1B}]0;title\u{7}> \u{1B}]0;title\u{7}"#)
    var table = TextTable(.left, .right)
    table.add(name, "1")
    table.add("b", "22")
    #expect(table.lines().map(\.text) == [#"\u{1B}]0;title\u{7}   1"#, "b                    22"])
  }
}
