import Foundation

/// Format strings and what becomes of them, as lines: `age = 18 ⇒ (= age 18)`.
package struct FormatSamples {
  /// Each text, and its tree or its error.
  package let lines: [(format: String, result: String)]

  init(_ text: String) {
    lines = text.split(separator: "\n").map { line in
      let parts = line.components(separatedBy: " ⇒ ")
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  package var formats: [String] { lines.map(\.format) }
}
