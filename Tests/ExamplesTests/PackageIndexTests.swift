import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct PackageIndexTests {
  @Test func `an index is imported from a file and told of`() async throws {
    let index = try IndexFile(SampleIndex.stanzas(300))
    let program = try ChildProcess("PackageIndex")
    let outcome = try await program.run(index.path, "--batch", "64")
    #expect(outcome.exitCode == 0)
    let lines = outcome.outputLines
    #expect(lines.first == "packages: 300")
    #expect(lines.contains("sections: 20, maintainers: 7"))
    #expect(lines.contains("malformed lines: 0"))
    #expect(try program.leftovers().isEmpty)
  }

  @Test func `the largest packages come first`() async throws {
    let outcome = try await ChildProcess("PackageIndex").run(piping: SampleIndex.stanzas(40))
    let start = try #require(outcome.outputLines.firstIndex(of: "the ten largest, in KiB:")) + 1
    let shown = outcome.outputLines[start..<(start + 10)].map { $0.trimmed }
    #expect(shown == (31...40).reversed().map { "\($0)  p\($0) 1.\($0)" })
  }

  @Test func `fifteen sections are counted singly and the others together`() async throws {
    let outcome = try await ChildProcess("PackageIndex").run(piping: SampleIndex.stanzas(105))
    let start = try #require(outcome.outputLines.firstIndex(of: "packages by section:")) + 1
    let shown = outcome.outputLines[start..<(start + 16)].map { $0.trimmed }
    #expect(shown[..<5].map { $0 } == (1...5).map { "6  section\($0)" })
    #expect(shown[15] == "25  in 5 other sections")
  }

  @Test(arguments: ["-", nil])
  func `an index is imported from a pipe`(argument: String?) async throws {
    let program = try ChildProcess("PackageIndex")
    let input = SampleIndex.stanzas(25)
    let outcome =
      if let argument { try await program.run(argument, piping: input) } else {
        try await program.run(piping: input)
      }
    #expect(outcome.exitCode == 0)
    #expect(outcome.outputLines.first == "packages: 25")
  }

  @Test func `an empty index has no packages`() async throws {
    let outcome = try await ChildProcess("PackageIndex").run("-", piping: "")
    #expect(outcome.exitCode == 0)
    #expect(outcome.outputLines.first == "packages: 0")
  }

  @Test func `the main queue is hardly kept from its work`() async throws {
    let outcome = try await ChildProcess("PackageIndex").run(piping: SampleIndex.stanzas(100))
    let pattern = /longest stall of the main queue: ([0-9]+\.[0-9]+) ms/
    let stall = try #require(outcome.output.firstMatch(of: pattern)?.1)
    // The other tests compete for the processors; the program alone stays far below 16 ms.
    #expect(try #require(Double(stall)) < 1_000)
    #expect(outcome.output.contains(/packages per second: [0-9]+/))
  }

  @Test func `a store that is asked for stays and is not overwritten`() async throws {
    let folder = try TemporaryDirectory()
    let store = folder.file("kept.sqlite").path
    let program = try ChildProcess("PackageIndex")
    let first = try await program.run("-", "--store", store, piping: SampleIndex.stanzas(5))
    #expect(first.exitCode == 0)
    #expect(FileManager.default.fileExists(atPath: store))
    let second = try await program.run("-", "--store", store, piping: SampleIndex.stanzas(5))
    #expect(second.exitCode == 1)
    #expect(second.errors == "Error: Cannot create the store \(store): the file exists already.\n")
  }
}

/// An index in a file of its own.
struct IndexFile {
  private let folder: TemporaryDirectory

  var path: String { folder.file("index").path }

  init(_ text: String) throws {
    folder = try TemporaryDirectory()
    try Data(text.utf8).write(to: folder.file("index"))
  }
}

extension String {
  var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
