import Foundation

/// The tables of an article for those who come from another library.
struct PortingTable {
  /// One line of a table.
  struct Row {
    /// The old calls.
    let selectors: [String]
    /// The new one, as it is written in the second column; "none" where there is none.
    let call: String
    let difference: String
    /// The heading above the table.
    let section: String
  }

  let rows: [Row]

  /// Reads an article of this package.
  init(article: String = "Porting") throws {
    let url = Self.package.appending(path: "Sources/Cauldron/Cauldron.docc/\(article).md")
    let text = try String(contentsOf: url, encoding: .utf8)
    rows = text.components(separatedBy: "\n## ").flatMap { section in
      Self.lines(section).compactMap { cells in
        guard cells.count == 3, cells[0].contains("`") else { return nil }
        return Row(
          selectors: Self.code(cells[0]), call: cells[1], difference: cells[2],
          section: String(section.prefix { $0 != "\n" }))
      }
    }
  }

  /// Where the package lies.
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  /// The new calls, without the marks of code.
  var calls: [String] { rows.flatMap { Self.code($0.call) } }

  var selectors: [String] { rows.flatMap(\.selectors) }

  /// The old calls of a section.
  func selectors(in section: String) -> [String] {
    rows.filter { $0.section == section }.flatMap(\.selectors)
  }

  /// What stands between the marks of code in a text.
  static func code(_ text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
  }

  /// The cells of each line of each table.
  static func lines(_ text: String) -> [[String]] {
    text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
    }
  }
}

/// The list of MagicalRecord's calls, which lies beside the package on some machines.
struct OldCalls {
  let selectors: [String]

  /// Nil where there is no such list.
  init?() {
    let url = PortingTable.package
      .appending(path: "../shared/reference/magicalrecord.md").standardized
    guard let text = try? String(contentsOf: url, encoding: .utf8),
      let start = text.range(of: "\n# Appendix A."), let end = text.range(of: "\n# Appendix B.")
    else { return nil }
    selectors = PortingTable.lines(String(text[start.lowerBound..<end.lowerBound]))
      .compactMap { PortingTable.code($0[0]).first }
      .filter { $0.hasPrefix("+") || $0.hasPrefix("-") }
      .map { String($0.dropFirst()) }
  }

  /// What the table leaves out: iCloud.
  var concerned: [String] {
    selectors.filter { selector in !Self.left.contains { selector.contains($0) } }
  }

  private static let left = ["iCloud", "Ubiq", "isICloud"]
}
