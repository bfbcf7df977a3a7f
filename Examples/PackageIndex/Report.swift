import Cauldron

/// What the store holds, asked from the main context, and how the import went.
@MainActor
struct Report {
  private static let shownSections = 15

  let figures: ImportFigures

  func write() throws {
    print("packages: \(try Package.count())")
    print("sections: \(try Section.count()), maintainers: \(try Maintainer.count())")
    try writeLargest()
    try writeSections()
    writeFigures()
  }

  private func writeLargest() throws {
    print("\nthe ten largest, in KiB:")
    for package in try Package.findAll(sortedBy: \.installedSize.descending, \.name, limit: 10) {
      print("\(column(package.installedSize))  \(package.name) \(package.version)")
    }
  }

  private func writeSections() throws {
    print("\npackages by section:")
    let counts = try sectionCounts()
    for (name, count) in counts.prefix(Self.shownSections) { print("\(column(count))  \(name)") }
    let rest = counts.dropFirst(Self.shownSections)
    guard !rest.isEmpty else { return }
    print("\(column(rest.reduce(0) { $0 + $1.count }))  in \(rest.count) other sections")
  }

  /// The sections and how many packages they have, largest first.
  private func sectionCounts() throws -> [(name: String, count: Int)] {
    let groups = try Package.grouped { $0.section.name }.count(in: ManagedObjectContext.default)
    return groups.map { (name: $0.key ?? "(no section)", count: $0.value) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  private func writeFigures() {
    let parts = [
      "reading \(rounded(figures.reading))", "creating \(rounded(figures.creating))",
      "saving \(rounded(figures.saving))",
    ]
    let rate = figures.total > 0 ? Double(figures.packages) / figures.total : 0
    print("\nimported in \(rounded(figures.total)) s (\(parts.joined(separator: ", ")))")
    print("packages per second: \(Int(rate))")
    print("malformed lines: \(figures.malformed)")
    print("longest stall of the main queue: \(rounded(figures.longestStall)) ms")
  }

  /// A number at the right of a column.
  private func column(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: " ", count: max(0, 10 - digits.count)) + digits
  }

  /// A number with two digits after the point.
  private func rounded(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
