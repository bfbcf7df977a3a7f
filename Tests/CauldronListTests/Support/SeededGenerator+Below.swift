import TestSupport

extension SeededGenerator {
  /// A number below a bound.
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
