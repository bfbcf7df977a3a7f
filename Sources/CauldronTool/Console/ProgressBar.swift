/// One line that tells how far long work has come; it goes when the work ends.
final class ProgressBar: @unchecked Sendable {
  // Only the thread that does the work tells it how far that is.
  private static let width = 24

  private let console: Console
  private var last = ""

  init(_ console: Console) { self.console = console }

  /// - Parameter fraction: From 0 to 1.
  func show(_ what: String, _ fraction: Double) {
    guard console.showsProgress else { return }
    let full = Int((min(max(fraction, 0), 1) * Double(Self.width)).rounded(.down))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
    let line = "\(bar) \(Int(min(max(fraction, 0), 1) * 100)) % \(what)"
    if line == last { return }
    last = line
    console.err("\r\u{1B}[K\(line)")
  }

  func finish() {
    if !last.isEmpty { console.err("\r\u{1B}[K") }
    last = ""
  }
}
