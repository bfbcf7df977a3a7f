/// A sum of real numbers that is rounded once, at its end, so that their order makes no difference.
///
/// It keeps what rounding leaves over in further numbers (J. R. Shewchuk, "Adaptive Precision
/// Floating-Point Arithmetic", 1997).
package struct ExactSum {
  /// Numbers that do not overlap, the smallest one first.
  private var parts: [Double] = []
  /// The same of very large numbers, divided by `scale`, so that no partial sum is infinite.
  private var large: [Double] = []
  /// The sum of what is not finite.
  private var infinite = 0.0

  private static let limit = 0x1p960
  private static let scale = 0x1p200

  package init() {}

  /// Adds a number.
  package mutating func add(_ number: Double) {
    guard number.isFinite else {
      infinite += number
      return
    }
    if abs(number) < Self.limit {
      Self.add(number, to: &parts)
    } else {
      Self.add(number / Self.scale, to: &large)
    }
  }

  /// The sum; NaN where both infinities are in it.
  package var result: Double {
    if infinite != 0 || infinite.isNaN { return infinite }
    if large.isEmpty { return Self.rounded(parts) }
    var all = large
    for part in parts { Self.add(part / Self.scale, to: &all) }
    if all.allSatisfy({ abs($0) < Self.limit / Self.scale }) {
      // What was large has gone; the rest is to be summed without loss.
      var rest = parts
      for part in large { Self.add(part * Self.scale, to: &rest) }
      return Self.rounded(rest)
    }
    return Self.rounded(all) * Self.scale
  }

  private static func add(_ number: Double, to parts: inout [Double]) {
    var rest = number
    var count = 0
    for part in parts {
      let (large, small) = abs(rest) < abs(part) ? (part, rest) : (rest, part)
      let sum = large + small
      let lost = small - (sum - large)
      if lost != 0 {
        parts[count] = lost
        count += 1
      }
      rest = sum
    }
    parts.removeSubrange(count...)
    if rest != 0 { parts.append(rest) }
  }

  private static func rounded(_ parts: [Double]) -> Double {
    var rest = parts[...]
    guard var sum = rest.popLast() else { return 0 }
    var lost = 0.0
    while let next = rest.popLast() {
      let before = sum
      sum = before + next
      lost = next - (sum - before)
      if lost != 0 { break }
    }
    // Half way between two numbers the rest decides.
    if let next = rest.last, (lost < 0) == (next < 0), lost != 0 {
      let twice = lost * 2
      let other = sum + twice
      if twice == other - sum { sum = other }
    }
    return sum
  }
}
