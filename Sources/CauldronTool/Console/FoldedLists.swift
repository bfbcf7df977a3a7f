import CauldronModel

/// Lists under titles that share the lines of a screen: long ones are cut, and say by how much.
package struct FoldedLists {
  /// The columns of a screen.
  package static let width = 100

  /// A list of some kind of thing.
  package struct Section: Equatable {
    package let title: String
    fileprivate var lines: [Line] = []

    package init(_ title: String) { self.title = title }

    /// Adds a thing, which takes a line; a text that is too wide is cut in its middle.
    package mutating func add(_ text: String) {
      lines.append(Line(text: text.withVisibleControls, count: 1))
    }

    /// Adds things that belong together, as many to a line as there is room for.
    package mutating func add(_ things: [String], under name: String) {
      let head = name.isEmpty ? "" : "\(name): "
      var (line, count) = (head, 0)
      for (index, thing) in things.enumerated() {
        let text = thing.withVisibleControls + (index + 1 < things.count ? "," : "")
        if count > 0, line.count + text.count + 3 > FoldedLists.width {
          lines.append(Line(text: line, count: count))
          (line, count) = ("  ", 0)
        }
        line += (count == 0 ? "" : " ") + text
        count += 1
      }
      if count > 0 { lines.append(Line(text: line, count: count)) }
    }

    package var isEmpty: Bool { lines.isEmpty }
  }

  fileprivate struct Line: Equatable {
    let text: String
    /// The number of things on the line.
    let count: Int
  }

  /// A line of the screen.
  package struct Shown: Equatable {
    package let text: String
    package let isTitle: Bool
  }

  private let sections: [Section]

  /// - Parameter sections: Those that are empty are left out.
  package init(_ sections: [Section]) { self.sections = sections.filter { !$0.isEmpty } }

  /// What is shown.
  /// - Parameter most: The most lines; nil for all, as wide as they are.
  package func lines(most: Int?) -> [Shown] {
    let shares = most.map { self.shares(of: $0 - sections.count) } ?? sections.map(\.lines.count)
    return zip(sections, shares).flatMap { section, share in
      [Shown(text: section.title, isTitle: true)]
        + list(section, share: share, isCut: most != nil)
    }
  }

  private func list(_ section: Section, share: Int, isCut: Bool) -> [Shown] {
    let isWhole = section.lines.count <= share
    let shown = section.lines.prefix(isWhole ? share : max(0, share - 1))
    var texts = shown.map(\.text)
    if isCut { texts = texts.map { $0.excerpt(Self.width - 2) } }
    if !isWhole {
      let rest = section.lines.dropFirst(shown.count).reduce(0) { $0 + $1.count }
      texts.append("\(shown.isEmpty ? "" : "and ")\(rest) more; --all shows them")
    }
    return texts.map { Shown(text: "  \($0)", isTitle: false) }
  }

  /// How many lines each section gets: short ones what they need, and the rest equal shares.
  private func shares(of lines: Int) -> [Int] {
    var shares = sections.map { _ in 0 }
    var left = lines
    while left > 0 {
      let open = shares.indices.filter { shares[$0] < sections[$0].lines.count }
      if open.isEmpty { break }
      for index in open where left > 0 {
        shares[index] += 1
        left -= 1
      }
    }
    return shares.map { max(1, $0) }
  }
}
