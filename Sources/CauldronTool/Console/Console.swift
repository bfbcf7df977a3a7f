import Foundation

/// Where a command writes to, and how.
package struct Console {
  /// Whether texts may have colours.
  package var isColoured: Bool
  /// Whether somebody watches who wants to see a bar.
  package var showsProgress: Bool
  /// Takes what goes to the standard output.
  package var out: (String) -> Void
  /// Takes what goes to the standard error output.
  package var err: (String) -> Void

  package init(
    isColoured: Bool, showsProgress: Bool, out: @escaping (String) -> Void,
    err: @escaping (String) -> Void
  ) {
    self.isColoured = isColoured
    self.showsProgress = showsProgress
    self.out = out
    self.err = err
  }

  /// The program's own: colours and bars on a terminal only.
  package static var standard: Console {
    let environment = ProcessInfo.processInfo.environment
    let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return Console(
      isColoured: isatty(STDOUT_FILENO) == 1 && !isPlain,
      showsProgress: isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb",
      out: { FileHandle.standardOutput.write(Data($0.utf8)) },
      err: { FileHandle.standardError.write(Data($0.utf8)) })
  }

  /// Writes a line.
  func write(_ line: String = "") { out(line + "\n") }

  /// Writes what has kept the work from being done.
  func complain(_ problem: String) { err("error: \(problem)\n") }

  func writeJSON(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return }
    write(String(decoding: data, as: UTF8.self))
  }

  /// A colour of the terminal (https://en.wikipedia.org/wiki/ANSI_escape_code).
  enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  func styled(_ text: String, as style: Style) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
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
