import Foundation

/// The ratios as bars: our time over that of the C API, or else of what a row compares with.
struct BarChart {
  private struct Bar {
    let name: String
    let ratio: Double
    let limit: Double?
    let isRaw: Bool
    /// GRDB's time, with records written by hand, over the same.
    let rival: Double?
  }

  private let bars: [Bar]
  /// Where a bar is cut off; its figure stands beside it.
  private let most = 3.0
  private let left = 470.0
  private let width = 960.0
  private let step = 22.0
  private let top = 64.0

  init(_ outcomes: [Outcome]) {
    bars = outcomes.compactMap { outcome in
      let who: Contender = outcome.wall(.raw) == nil ? .base : .raw
      // Where nanoseconds count, a ratio to next to nothing tells nothing.
      guard let ratio = outcome.ratio(to: who), !outcome.isOfNanoseconds else { return nil }
      let limit = outcome.targets.first { target in
        if case .ratio(who) = target.measure { true } else { false }
      }
      let rival = outcome.ratio(to: .grdb).map { ratio / $0 }
      return Bar(
        name: outcome.name, ratio: ratio, limit: limit?.limit, isRaw: who == .raw, rival: rival)
    }
  }

  var svg: String {
    let height = top + step * Double(bars.count) + 24
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
      font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      <text x="16" y="24" font-size="16" fill="#222">Our time over the C API's (shorter is \
      faster)</text>
      <text x="16" y="44" fill="#666">Light bars: over the row's own base. Ticks: targets. \
      Diamonds: GRDB by hand. The line is 1.</text>
      """
    ]
    for (index, bar) in bars.enumerated() { parts.append(svg(bar, top + step * Double(index))) }
    let line = x(1)
    parts.append(
      "<line x1=\"\(line)\" y1=\"\(top - 6)\" x2=\"\(line)\" y2=\"\(height - 18)\""
        + " stroke=\"#222\" stroke-width=\"1\"/>")
    parts.append("</svg>")
    return parts.joined(separator: "\n") + "\n"
  }

  private func svg(_ bar: Bar, _ y: Double) -> String {
    let isMissed = bar.limit.map { bar.ratio > $0 } ?? false
    let color = isMissed ? "#d9822b" : bar.isRaw ? "#2f7d5b" : "#9cc7b3"
    // The figure stands behind every mark that is near the end of its bar.
    let shown = min(bar.ratio, most)
    let end = x(shown)
    let marks = [1, bar.limit ?? 0, min(bar.rival ?? 0, most)].filter { $0 < shown + 0.35 }
    let label = x(marks.reduce(shown, max)) + 8
    var result = """
      <text x="\(left - 8)" y="\(y + 13)" text-anchor="end" fill="#222">\(escaped(bar.name))</text>
      <rect x="\(left)" y="\(y + 2)" width="\(end - left)" height="15" fill="\(color)"/>
      <text x="\(label)" y="\(y + 13)" fill="#222">\(String(format: "%.2f", bar.ratio))</text>
      """
    if let limit = bar.limit, limit <= most {
      let tick = x(limit)
      result +=
        "\n<line x1=\"\(tick)\" y1=\"\(y)\" x2=\"\(tick)\" y2=\"\(y + 19)\""
        + " stroke=\"#c0392b\" stroke-width=\"2\"/>"
    }
    if let rival = bar.rival { result += diamond(x(min(rival, most)), y + 9.5) }
    return result
  }

  private func diamond(_ x: Double, _ y: Double) -> String {
    "\n<path d=\"M\(x - 4) \(y) l4 -5 l4 5 l-4 5 z\" fill=\"white\" stroke=\"#222\"/>"
  }

  private func x(_ ratio: Double) -> Double { left + ratio / most * (width - left - 60) }

  private func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}
