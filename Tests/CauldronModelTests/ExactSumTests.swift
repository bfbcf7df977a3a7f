import CauldronModel
import CauldronQuery
import TestSupport
import Testing

@Suite("Exact sums")
struct ExactSumTests {
  private func sum(_ numbers: [Double]) -> Double {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    return sum.result
  }

  @Test("A sum is rounded once")
  func rounding() {
    #expect(sum(Array(repeating: 0.1, count: 10)) == 1)
    #expect(sum([1e100, 1, -1e100]) == 1)
    #expect(sum([1e308, 1e308, -1e308]) == 1e308)
    #expect(sum([1.7e308, 1.7e308, -1.7e308, -1.7e308, 3]) == 3)
    #expect(sum([1, 0x1p-53, 0x1p-106]) == 1.0.nextUp)
    #expect(sum([]) == 0)
  }

  @Test("What is not finite stays so")
  func infinities() {
    #expect(sum([1, .infinity]) == .infinity)
    #expect(sum([.infinity, -.infinity]).isNaN)
    #expect(sum([1.7e308, 1.7e308]) == .infinity)
  }

  @Test("No order changes a sum")
  func orders() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let numbers = (0..<30).map { _ in
        Double.random(in: -1...1, using: &random)
          * random.pick([1e-300, 1e-5, 1, 1e16, 1e300])
      }
      let first = sum(numbers)
      for _ in 0..<5 { #expect(sum(numbers.shuffled(using: &random)) == first) }
    }
  }
}
