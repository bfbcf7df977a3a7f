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
    guard let name = named else { return names.count == 1 ? names[0] : nil }
    // As the directory has it: its accents may be composed otherwise.
    return names.first { $0 == name }
  }

  /// Why there is no version that counts, as the end of a sentence, and what to do.
  package func mistake(among names: [String]) -> (reason: String, remedy: String) {
    let list = names.joined(separator: ", ")
    guard let name = named else {
      return ("its .xccurrentversion names no version", "Have it name one of \(list).")
    }
    return ("its .xccurrentversion names \(name), which is not there", "There is \(list).")
  }

  /// What the directory names as the current version.
  private var named: String? {
    guard
      let data = FileManager.default.contents(
        atPath: url.appending(path: ".xccurrentversion").path),
      data.count < 1 << 16,
      let document = try? XMLReader.document([UInt8](data), allowsDoctype: true),
      let members = document.root.elements("dict").first?.elements,
      let key = members.firstIndex(where: {
        $0.name == "key" && $0.text == "_XCCurrentVersionName"
      }), key + 1 < members.count
    else { return nil }
    return members[key + 1].text
  }

  /// Names in the order in which Xcode gives them: `Notes`, `Notes 2`, `Notes 10`.
  package static func inOrder(_ names: [String]) -> [String] {
    func stem(_ name: String) -> String {
      String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
    }
    return names.sorted {
      stem($0).compare(stem($1), options: [.numeric, .caseInsensitive]) == .orderedAscending
    }
  }
}
