import Foundation

extension Target {
  /// What has to be reached, as the table says it.
  var text: String {
    switch measure {
    case .ratio(.raw): "≤ \(Self.number(limit)) × raw"
    case .ratio: "≤ \(Self.number(limit)) × base"
    case .advantage: "≥ \(Self.number(limit)) × faster than Codable"
    case .overhead(.raw): "≤ raw + \(Self.time(limit))"
    case .overhead: "≤ base + \(Self.time(limit))"
    case .operation: "≤ \(Self.time(limit)) each"
    case .main: "< \(Self.time(limit * 1e6)) on main"
    case .stall: "< \(Self.time(limit * 1e6)) at most"
    case .bytes: "≤ \(Int(limit)) bytes"
    }
  }

  /// What was reached.
  func text(of outcome: Outcome) -> String {
    guard let value = value(outcome) else { return "not measured" }
    return switch measure {
    case .ratio, .advantage: "\(Self.number(value)) ×"
    case .overhead: (value < 0 ? "− " : "+ ") + Self.time(abs(value))
    case .operation: Self.time(value)
    case .main, .stall: Self.time(value * 1e6)
    case .bytes: "\(Int(value.rounded())) bytes"
    }
  }

  static func number(_ value: Double) -> String {
    let text = String(format: "%.3f", value)
    // No more digits than there have to be, but two.
    return text.hasSuffix("0") ? String(text.dropLast()) : text
  }

  /// Nanoseconds in a readable unit.
  static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1_000: String(format: "%.1f ns", nanoseconds)
    case ..<1_000_000: String(format: "%.1f µs", nanoseconds / 1e3)
    case ..<1_000_000_000: String(format: "%.2f ms", nanoseconds / 1e6)
    default: String(format: "%.2f s", nanoseconds / 1e9)
    }
  }
}
