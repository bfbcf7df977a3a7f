import Foundation
import TestSupport
import Testing

/// The article for those who come from MagicalRecord is complete, and true as far as a test can tell.
@Suite(.againstHanging) struct PortingTableTests {
  private let table: PortingTable

  init() throws { table = try PortingTable() }

  @Test func `each row has old calls, a new one or none, and what is different`() {
    #expect(table.rows.count > 80)
    for row in table.rows {
      #expect(!row.selectors.isEmpty)
      #expect(row.call == "none" || row.call.contains("`"), "\(row.selectors)")
      #expect(!row.difference.isEmpty)
      #expect(row.call != "none" || row.difference != "–", "\(row.selectors)")
    }
  }

  @Test func `no call stands there twice`() {
    let counts = Dictionary(grouping: table.selectors, by: \.self).filter { $1.count > 1 }
    #expect(counts.keys.sorted() == [])
  }

  @Test(.enabled(if: OldCalls() != nil, "the list of the old calls is not here"))
  func `every call of the old library stands in the table, and nothing else`() throws {
    let old = try #require(OldCalls())
    #expect(old.selectors.count == 242)
    let known = Set(table.selectors)
    let missing = Set(old.concerned).subtracting(known)
    #expect(missing.sorted() == [], "missing in the table")
    #expect(known.subtracting(old.selectors).sorted() == [], "unknown to the old library")
  }

  /// What a call is made of, such as `Person.findAll(where:)`: the library must have each name.
  @Test func `every name that the new calls use is one of the library's`() throws {
    let names = try publicNames()
    let foreign: Set = [
      "Dictionary", "grouping", "reduce", "map", "withValue", "reset", "cancel", "configuration",
      "by", "self",
    ]
    for call in table.calls {
      let words = call.matches(of: /\.?([A-Za-z]+)[(:]/).map { String($0.1) }
      for word in words where !foreign.contains(word) && word != "in" {
        #expect(names.contains(word), "\(word) in \(call)")
      }
    }
  }

  @Test func `every new call has a test that tells the old name`() throws {
    let tests = try files(in: URL(filePath: #filePath).deletingLastPathComponent())
    let program = try files(in: PortingTable.package.appending(path: "Examples/PortedApp"))
    let sources = tests.filter { $0.lastPathComponent.hasSuffix("Tests.swift") } + program
    var words: Set<String> = []
    for source in sources {
      let text = try String(contentsOf: source, encoding: .utf8)
      for match in text.matches(of: /[A-Za-z_]+/) { words.insert(String(match.0)) }
    }
    for row in table.rows where row.call != "none" {
      // A program writes `MR_findByAttribute:@"team" …`, so that the first part must do.
      let starts = row.selectors.map { String($0.prefix { $0 != ":" }) }
      #expect(starts.contains(where: words.contains), "\(row.selectors)")
    }
  }

  private func files(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }

  /// All words of the sources.
  private func publicNames() throws -> Set<String> {
    let sources = PortingTable.package.appending(path: "Sources")
    var names: Set<String> = []
    for folder in [
      "Cauldron", "CauldronGraph", "CauldronLive", "CauldronModel", "CauldronSave",
      "CauldronMagicalRecord/Conveniences",
    ] {
      let files = FileManager.default.enumerator(
        at: sources.appending(path: folder), includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /[A-Za-z]+/) { names.insert(String(match.0)) }
      }
    }
    return names
  }
}
