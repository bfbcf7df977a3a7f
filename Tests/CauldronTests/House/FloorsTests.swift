import Foundation
import TestSupport
import Testing

/// The folders of a target stand on one another as the article says: none names a type of a floor above.
@Suite(
  .againstHanging, .enabled(if: !Sanitizer.isOn, "sources are the same for a sanitizer"))
struct FloorsTests {
  /// The one pair that knows each other.
  private static let pair: Set = ["CauldronGraph/Context", "CauldronGraph/Object"]
  private static let sources = PortingTable.package.appending(path: "Sources")

  @Test func `each folder of the sources stands on a floor of the article, and none twice`() throws
  {
    let floors = try floors().flatMap { target in target.value.flatMap(\.self) }
    #expect(floors.count == Set(floors).count)
    let folders = Set(try files().map(\.folder).filter { $0.contains("/") })
    #expect(folders.subtracting(floors).sorted() == [], "on no floor")
    #expect(Set(floors).subtracting(folders).sorted() == [], "not there")
  }

  @Test func `no folder names a type of its own floor or of one above`() throws {
    var floors: [String: Int] = [:]
    for (_, list) in try self.floors() {
      for (floor, names) in list.enumerated() { for name in names { floors[name] = floor } }
    }
    var wrong: Set<String> = []
    for (name, use) in try uses() {
      guard name.from.target == name.to.target, Set([name.from, name.to]) != Self.pair,
        let low = floors[name.from], let high = floors[name.to], high >= low
      else { continue }
      wrong.insert("\(name.from) names \(use.sorted().joined(separator: ", ")) of \(name.to)")
    }
    #expect(wrong.sorted() == [])
  }

  private struct Arrow: Hashable {
    let from: String
    let to: String
  }

  /// The types that folders name of others; those that several files declare are nobody's.
  private func uses() throws -> [Arrow: Set<String>] {
    let files = try files()
    var homes: [String: Set<String>] = [:]
    var counts: [String: Int] = [:]
    for file in files {
      for name in file.declared {
        homes[name, default: []].insert(file.folder)
        counts[name, default: 0] += 1
      }
    }
    var uses: [Arrow: Set<String>] = [:]
    for file in files {
      for name in file.named where counts[name] == 1 {
        guard let home = homes[name]?.first, home != file.folder else { continue }
        uses[Arrow(from: file.folder, to: home), default: []].insert(name)
      }
    }
    return uses
  }

  private func files() throws -> [SourceFile] {
    let all = try #require(
      FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    let start = Self.sources.pathComponents.count
    return try all.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map { file in
      let folders = file.pathComponents[start...].dropLast()
      return try SourceFile(file, folder: folders.joined(separator: "/"))
    }
  }

  /// The floors of each target from the ground, as the article lists them.
  private func floors() throws -> [String: [[String]]] {
    let article = Self.sources.appending(path: "Cauldron/Cauldron.docc/Architecture.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let items = text.replacing("\n  ", with: " ").split(separator: "\n").filter {
      $0.hasPrefix("* `Cauldron")
    }
    var result: [String: [[String]]] = [:]
    for item in items {
      guard let colon = item.range(of: ": `"),
        let target = item.split(separator: "`").dropFirst().first
      else { continue }
      let list = item[item.index(before: colon.upperBound)...]
      result[String(target)] = list.components(separatedBy: " · ").map { floor in
        floor.matches(of: /`([A-Za-z\/]+)`/).map { "\(target)/\($0.1)" }
      }
    }
    return result
  }
}

extension String {
  /// The target that a folder is of.
  fileprivate var target: Substring { prefix { $0 != "/" } }
}
