package import Foundation

/// The versions of a model that Xcode edits: an `.xcdatamodeld` directory has an `.xcdatamodel` for each.
package struct SourceVersions {
  private let url: URL

  package init(_ url: URL) { self.url = url }

  /// Whether the directory is one version.
  package var isSource: Bool {
    FileManager.default.fileExists(atPath: url.appending(path: "contents").path)
  }

  /// The names of the versions, sorted; nil where there is none.
  package var names: [String]? {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let names = all.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    return names.isEmpty ? nil : names
  }

  /// The version that counts: the only one, or the one that `.xccurrentversion` names.
  package func current(among names: [String]) -> String? {
    guard
      let data = FileManager.default.contents(
        atPath: url.appending(path: ".xccurrentversion").path),
      data.count < 1 << 16,
      let document = try? XMLReader.document([UInt8](data), allowsDoctype: true),
      let members = document.root.elements("dict").first?.elements
    else { return names.count == 1 ? names[0] : nil }
    let key = members.firstIndex { $0.name == "key" && $0.text == "_XCCurrentVersionName" }
    guard let key, key + 1 < members.count else { return names.count == 1 ? names[0] : nil }
    let name = members[key + 1].text
    // As the directory has it: its accents may be composed otherwise.
    return names.first { $0 == name }
  }

  /// Names in the order in which Xcode gives them: `Notes`, `Notes 2`, `Notes 10`.
  package static func inOrder(_ names: [String]) -> [String] {
    func stem(_ name: String) -> String { String(name.prefix { $0 != "." }) }
    return names.sorted {
      stem($0).compare(stem($1), options: [.numeric, .caseInsensitive]) == .orderedAscending
    }
  }
}
