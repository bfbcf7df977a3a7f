import Testing

@testable import CauldronGraph
@testable import CauldronLedger

@Suite("Places of ordered relationships")
struct OrderKeyTests {
  @Test(
    "Places between two others ascend, also where a file has one at the end of 64 bits",
    arguments: [(Int64(2048), Int64(3072)), (0, .max), (5, .max), (1, 100)], [1, 2, 3, 50])
  func between(ends: (Int64, Int64), count: Int) throws {
    let run = try #require(OrderKey.run(count, after: ends.0, before: ends.1))
    #expect(run.count == count)
    let all = [ends.0] + run + [ends.1]
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("Where there is no room between two places there are none")
  func none() {
    #expect(OrderKey.run(1, after: .max, before: .max) == nil)
    #expect(OrderKey.run(1, after: nil, before: .min) == nil)
    #expect(OrderKey.run(3, after: 1, before: 4) == nil)
  }
}
