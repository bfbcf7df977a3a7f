/// Rows of texts in columns as wide as their widest text.
package struct TextTable {
  package enum Alignment {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  package init(_ alignments: Alignment...) { self.init(alignments) }

  package init(_ alignments: [Alignment]) { self.alignments = alignments }

  package mutating func add(_ cells: String...) { add(cells) }

  package mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The lines, without blanks at their ends.
  /// - Parameter style: Gives a cell, by its row and column, its colour; it is padded before.
  package func lines(indent: Int = 0, style: (Int, Int, String) -> String = { $2 }) -> [String] {
    let widths = alignments.indices.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.enumerated().map { index, row in
      let last = row.lastIndex { !$0.isEmpty } ?? -1
      let cells = row.enumerated().prefix(last + 1).map { column, text in
        let isOpen = column == last && alignments[column] == .left
        let padding = String(repeating: " ", count: isOpen ? 0 : widths[column] - text.count)
        let cell = style(index, column, text)
        return alignments[column] == .left ? cell + padding : padding + cell
      }
      return String(repeating: " ", count: indent) + cells.joined(separator: "  ")
    }
  }
}
