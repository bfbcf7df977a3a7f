import Cauldron
import Foundation
import Logging
import TestSupport
import Testing

/// The lines that a program without a logging system gets.
@Suite(.againstHanging) struct PlainLogTests {
  /// The line of an event, at a time that is known, without it.
  private func line(
    _ level: Logger.Level, _ message: String, _ data: Logger.Metadata = [:],
    module: String = "CauldronGraph"
  ) throws -> String {
    let event = LogEvent(
      level: level, message: "\(message)", error: nil, metadata: data, source: module,
      file: "\(module)/File.swift", function: "f()", line: 1)
    let text = LogLine(event, data).text(at: LogTime(seconds: 0, milliseconds: 0))
    return String(try #require(text.wholeMatch(of: /[0-9]{2}:[0-9]{2}:00\.000 (.*)/)).1)
  }

  private func saving(_ rest: Logger.Metadata) -> Logger.Metadata {
    [
      "save": "7", "step": "1/3", "context": "Import", "queue": "private", "thread": "99",
      "at": "Program/main.swift:22", "waited": "0.013 ms",
    ].merging(rest) { $1 }
  }

  @Test func `a line has the time of day with milliseconds`() {
    var (moment, parts) = (1_700_000_000, tm())
    localtime_r(&moment, &parts)
    let hour = parts.tm_hour < 10 ? "0\(parts.tm_hour)" : "\(parts.tm_hour)"
    let time = "\(LogTime(seconds: moment, milliseconds: 7))"
    #expect(time.hasPrefix("\(hour):") && time.hasSuffix(":20.007") && time.count == 12)
  }

  @Test func `few data follow the sentence in a column`() throws {
    let sentence = "→ Saving <ManagedObjectContext (0x7fab28002790): Import> on the main thread"
    let padded = sentence + String(repeating: " ", count: 93 - sentence.count)
    #expect(
      try line(.info, sentence, saving(["inserted": "1", "updated": "2", "deleted": "3"]))
        == padded + "main.swift:22 #7 1/3 +1 ~2 -3")
    #expect(try line(.info, sentence, saving([:])) == padded + "main.swift:22 #7 1/3")
    #expect(
      try line(.info, sentence, saving(["name": "two words", "links": "4"]))
        == padded + #"main.swift:22 "two words" #7 1/3 links=4"#)
    #expect(try line(.info, "No data", ["parent": "Default Context"]) == "No data")
    let long = String(repeating: "x", count: 200)
    #expect(try line(.info, long, ["save": "7"]) == long + " #7")
  }

  @Test func `the lines of each target that logs are the library's own`() throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources")
      .standardizedFileURL
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var targets: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard text.contains(/(?m)^(public |package )?import Logging$/) else { continue }
      targets.insert(file.pathComponents[sources.pathComponents.count])
    }
    #expect(targets.count > 4)
    for target in targets.sorted() {
      let line = try line(.info, "No data", ["parent": "Default Context"], module: target)
      #expect(line == "No data", "\(target)")
    }
  }

  @Test func `a terminal shows what went wrong and what ended well in colours`() {
    func line(_ level: Logger.Level, _ message: String) -> String {
      let event = LogEvent(
        level: level, message: "\(message)", error: nil, metadata: nil, source: "CauldronGraph",
        file: "CauldronGraph/File.swift", function: "f()", line: 1)
      let text = LogLine(event, ["save": "7"])
        .text(at: LogTime(seconds: 0, milliseconds: 0), isColoured: true)
      return String(text.replacing("\u{1B}", with: "^").dropFirst("^[2m00:00:00.000^[0m ".count))
    }
    func end(_ sentence: String) -> String {
      "^[2m" + String(repeating: " ", count: 93 - sentence.count) + "#7^[0m"
    }
    #expect(line(.info, "→ Saving") == "→ Saving" + end("→ Saving"))
    #expect(line(.info, "✓ Saved") == "^[32m✓^[0m Saved" + end("✓ Saved"))
    #expect(line(.warning, "w") == "^[33mWARNING w^[0m" + end("WARNING w"))
    #expect(line(.error, "e") == "^[31mERROR e^[0m" + end("ERROR e"))
  }

  @Test func `colours are for terminals, and NO_COLOR turns them off`() {
    #expect(StandardError.isColoured(isTerminal: true, [:]))
    #expect(StandardError.isColoured(isTerminal: true, ["NO_COLOR": "", "TERM": "xterm"]))
    #expect(!StandardError.isColoured(isTerminal: true, ["NO_COLOR": "1"]))
    #expect(!StandardError.isColoured(isTerminal: true, ["TERM": "dumb"]))
    #expect(!StandardError.isColoured(isTerminal: false, [:]))
  }

  @Test func `data that the sentence says are left out`() throws {
    let end = "✓ Saved to people.sqlite: 1 inserted, 2 links in 6 ms"
    let data: Logger.Metadata = [
      "save": "7", "at": "Program/main.swift:22", "context": "Import", "inserted": "1",
      "links": "2", "store": "people.sqlite", "took": "6.234 ms",
    ]
    #expect(try line(.info, end, data).hasPrefix(end))
    #expect(try line(.info, end, data).dropFirst(93) == "main.swift:22 #7")
    let batch = "→ Batch update of Person: 3 updated"
    #expect(
      try line(.info, batch, ["entity": "Person", "updated": "3", "worked": "1.5 ms"])
        .dropFirst(93) == "worked 1.5 ms")
    let again = "Saving again after a conflict: Import"
    #expect(
      try line(.notice, again, ["name": "Import", "attempt": "2/4", "conflict": "3"])
        .dropFirst(93) == "attempt=2/4 conflict=3")
  }

  @Test func `debug and trace have the details`() throws {
    let text = try line(.debug, "Saved x", saving(["objects": "Person p1 p2", "rows": "2"]))
    #expect(
      text.dropFirst(93)
        == #"main.swift:22 #7 1/3 waited 0.013 ms objects="Person p1 p2" rows=2"#)
    #expect(
      try line(.trace, "COMMIT", ["worked": "0.2 ms"]).dropFirst(93) == "worked 0.2 ms")
  }

  @Test func `warnings and errors stand out, and tell everything`() throws {
    let mine: Logger.MetadataValue = ["save": "7", "context": "Mine", "at": "Program/a.swift:1"]
    let theirs: Logger.MetadataValue = ["save": "6", "context": "Their own", "at": "Rival"]
    let values: Logger.MetadataValue = ["age": ["was": "1", "theirs": "0", "mine": "3"]]
    let data = saving([
      "code": "save.conflict", "entity": "Person", "property": "age", "object": "x-c://A/Person/p1",
      "mine": mine, "theirs": theirs, "values": values,
      "objects": ["p1", "p2"],
    ])
    let text = try line(.error, "Could not save Import: no Person.", data)
    #expect(text.hasPrefix("ERROR Could not save Import: no Person.  "))
    let expected = [
      "main.swift:22 #7 1/3 waited 0.013 ms", "code=save.conflict entity=Person property=age",
      "object=x-c://A/Person/p1 objects=[p1, p2]", "values=(age=(mine=3 theirs=0 was=1))",
      "mine=(a.swift:1 #7 context=Mine)", #"theirs=(Rival #6 context="Their own")"#,
      "context=Import queue=private thread=99",
    ]
    #expect(text.dropFirst(93) == expected.joined(separator: " "))
    let unknown = try line(.warning, "Bad", ["theirs": "unknown", "code": "x"])
    #expect(unknown.hasPrefix("WARNING Bad ") && unknown.hasSuffix(" code=x theirs=unknown"))
    #expect(try line(.critical, "Worse") == "CRITICAL Worse")
  }

  @Test func `properties that are called like data of saves keep their names`() throws {
    let values: Logger.MetadataValue = ["name": ["was": "a"], "at": ["was": "b"]]
    let text = try line(.error, "E", ["values": values])
    #expect(text.hasSuffix(" values=(at=(was=b) name=(was=a))"))
  }

  @Test func `what would act on the terminal or end the line is written out`() throws {
    let name = "a\u{1B}[2J\r\nb\t\u{7}\u{9B}1m\u{202E}\u{2028}"
    let shown = #"a\u{1B}[2J\r\nb\t\u{7}\u{9B}1m\u{202E}\u{2028}"#
    #expect(try line(.info, "Name \(name)") == "Name \(shown)")
    #expect(
      try line(.error, "E", ["entity": "\(name)", "mine": ["context": "\(name)"], name: "x"])
        .dropFirst(93) == #"entity="\#(shown)" mine=(context="\#(shown)") \#(shown)=x"#)
    let plain = #"Zoë → "x" \ 猫👩‍👩‍👧"#
    #expect(try line(.info, plain) == plain)
  }

  @Test func `the program's own lines by the library's logger keep all their data`() throws {
    let data: Logger.Metadata = ["context": "c", "entity": "Person", "inserted": "0", "at": "x/y"]
    #expect(
      try line(.info, "Hello", data, module: "Program").dropFirst(93)
        == "entity=Person at=x/y context=c inserted=0")
  }

  @Test func `one event is one text with one end, and the logger's own data come along`() {
    let texts = Locked<[String]>([])
    var logger = Logger(label: "cauldron") { label in
      PlainLogHandler(label: label) { text in texts.withLock { $0.append(text) } }
    }
    logger[metadataKey: "program"] = "test"
    logger.info("one\ntwo", metadata: ["key": "value"])
    logger.debug("not told")
    let told = texts.withLock { $0 }
    #expect(told.count == 1)
    #expect(told.first?.hasSuffix(" key=value program=test\n") == true)
    #expect(told.first?.contains(#"one\ntwo"#) == true)
  }
}
