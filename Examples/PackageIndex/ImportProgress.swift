import Foundation

/// Tells on standard error how far the import is: in one line that changes on a terminal, else in a
/// line for each tenth, or for each 10,000 packages where the size of the input is unknown.
struct ImportProgress {
  private let size: Int?
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var shownSteps = 0
  private var hasOpenLine = false

  init(size: Int?) { self.size = size.flatMap { $0 > 0 ? $0 : nil } }

  /// Tells how much of the input was read and how many packages were saved.
  mutating func show(bytes: Int, packages: Int) {
    let percent = size.map { min(100, bytes * 100 / $0) }
    let text = "\(packages) packages" + (percent.map { " (\($0) %)" } ?? "")
    if isTerminal {
      write("\r\(text)")
      hasOpenLine = true
      return
    }
    let steps = percent.map { $0 / 10 } ?? packages / 10_000
    guard steps > shownSteps else { return }
    shownSteps = steps
    write("\(text)\n")
  }

  /// Writes a line of its own.
  mutating func note(_ text: String) {
    closeLine()
    write("\(text)\n")
  }

  /// Ends the line that changes.
  mutating func finish() { closeLine() }

  private mutating func closeLine() {
    if hasOpenLine { write("\n") }
    hasOpenLine = false
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
