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
