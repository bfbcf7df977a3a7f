import CauldronModel
import Foundation

/// Where a command writes to, and how.
package struct Console {
  /// Whether somebody reads the standard output as it is written.
  package var isTerminal: Bool
  /// Whether texts may have colours.
  package var isColoured: Bool
  /// Whether somebody watches who wants to see a bar.
  package var showsProgress: Bool
  /// Takes what goes to the standard output.
  package var out: (String) -> Void
  /// Takes what goes to the standard error output.
  package var err: (String) -> Void

  package init(
    isTerminal: Bool, isColoured: Bool, showsProgress: Bool, out: @escaping (String) -> Void,
    err: @escaping (String) -> Void
  ) {
    self.isTerminal = isTerminal
    self.isColoured = isColoured
    self.showsProgress = showsProgress
    self.out = out
    self.err = err
  }

  /// The program's own: colours and bars on a terminal only.
  package static var standard: Console {
    let environment = ProcessInfo.processInfo.environment
    let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    let isTerminal = isatty(STDOUT_FILENO) == 1
    return Console(
      isTerminal: isTerminal, isColoured: isTerminal && !isPlain,
      showsProgress: isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb",
      out: { text in
        do {
          try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
          writeError("error: The standard output cannot be written. Give it another place.\n")
          exit(ToolStatus.unreadable)
        }
      }, err: writeError)
  }

  /// Where not even this can be written, nothing is left to say.
  private static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Writes a line.
  func write(_ line: ConsoleLine = "") { out(line.text + "\n") }

  /// Writes a part of a form for programs; on a terminal with its controls written out.
  func writeData(_ text: String, end: String) {
    out((isTerminal ? text.withVisibleControls : text) + end)
  }

  /// Writes what has kept the work from being done.
  func complain(_ problem: String) { err("error: \(problem.withVisibleControls)\n") }

  func writeJSON(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return }
    writeJSON(data, end: "\n")
  }

  /// Writes JSON that is encoded.
  func writeJSON(_ data: Data, end: String) {
    out(String(decoding: data, as: UTF8.self).withEscapedControls + end)
  }

  func styled(_ line: ConsoleLine, as style: ConsoleLine.Style) -> ConsoleLine {
    isColoured ? line.styled(style) : line
  }
}

/// One line that tells how far long work has come; it goes when the work ends.
final class ProgressBar: @unchecked Sendable {
  // Only the thread that does the work tells it how far that is.
  private static let width = 24

  private let console: Console
  private var last = ""

  init(_ console: Console) { self.console = console }

  /// - Parameter fraction: From 0 to 1.
  func show(_ what: String, fraction: Double) {
    guard console.showsProgress else { return }
    let full = Int((min(max(fraction, 0), 1) * Double(Self.width)).rounded(.down))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
    let line = "\(bar) \(Int(min(max(fraction, 0), 1) * 100)) % \(what.withVisibleControls)"
    if line == last { return }
    last = line
    console.err("\r\u{1B}[K\(line)")
  }

  func finish() {
    if !last.isEmpty { console.err("\r\u{1B}[K") }
    last = ""
  }
}

/// How the program ends.
package enum ToolStatus {
  package static let good: Int32 = 0
  /// There are findings, or a migration is refused.
  package static let findings: Int32 = 1
  /// A file cannot be read or written.
  package static let unreadable: Int32 = 2
}
