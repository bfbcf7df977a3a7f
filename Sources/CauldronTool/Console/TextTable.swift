import CauldronModel

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

  /// Adds a row of texts, on each of which nothing acts: a column is as wide as it looks.
  package mutating func add(_ cells: [String]) { rows.append(cells.map(\.withVisibleControls)) }

  /// The lines, without blanks at their ends.
  /// - Parameter style: Gives a cell, by its row and column, its colour; it is padded before.
  package func lines(
    indent: Int = 0, style: (Int, Int, ConsoleLine) -> ConsoleLine = { $2 }
  ) -> [ConsoleLine] {
    let widths = alignments.indices.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.enumerated().map { index, row in
      let last = row.lastIndex { !$0.isEmpty } ?? -1
      var line = ConsoleLine(String(repeating: " ", count: indent))
      for (column, text) in row.enumerated().prefix(last + 1) {
        let isOpen = column == last && alignments[column] == .left
        let padding = String(repeating: " ", count: isOpen ? 0 : widths[column] - text.count)
        let cell = style(index, column, ConsoleLine(text))
        line = line + (column == 0 ? "" : "  ")
        line = line + (alignments[column] == .left ? "\(cell)\(padding)" : "\(padding)\(cell)")
      }
      return line
    }
  }
}

/// Numbers as people read them.
package enum Quantity {
  /// `63,666`.
  package static func count(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += "," }
      grouped.append(digit)
    }
    return (number < 0 ? "-" : "") + grouped
  }

  /// `1 row`, `3 rows`.
  package static func of(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// `512 bytes`, `1.2 KB`, `3.4 MB`.
  package static func bytes(_ number: Int) -> String {
    var size = Double(number)
    guard size >= 1000 else { return of(number, "byte") }
    var unit = ""
    for next in ["KB", "MB", "GB", "TB"] where size >= 1000 {
      size /= 1000
      unit = next
    }
    let tenths = Int((size * 10).rounded())
    return "\(count(tenths / 10)).\(tenths % 10) \(unit)"
  }

  /// `0.1 s`.
  package static func seconds(_ duration: Duration) -> String {
    let tenths =
      Int((Double(duration.components.seconds) * 10).rounded())
      + Int((Double(duration.components.attoseconds) * 1e-17).rounded())
    return "\(count(tenths / 10)).\(tenths % 10) s"
  }
}
