/// The table.
enum Report {
  static func title(_ text: String) {
    print("\n\(text)")
    line(["rows", "stack", "total", "main thread", "longest stall"], note: "Core Data, published")
  }

  static func line(_ columns: [String], note: String) {
    let widths = [9, 14, 12, 12, 14]
    let cells = zip(columns, widths).enumerated().map { index, cell in
      let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index == 1 ? cell.0 + space : space + cell.0
    }
    print((cells + [note]).joined(separator: "  ").trimmingSuffix())
  }
}

extension String {
  fileprivate func trimmingSuffix() -> String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
