import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// To doubt too little would lose an edit; to doubt too much costs a read.
@Suite struct MakerDoubtsTests {
  @Test func `what was doubted stays doubted, however much comes after it`() {
    var doubts = MakerDoubts()
    let starts = stride(from: UInt64(10), to: 50_000, by: 7).map { $0 }
    for start in starts.shuffled() { doubts.insert(start...(start + 2)) }
    for start in starts {
      #expect((start...(start + 2)).allSatisfy(doubts.contains))
    }
    #expect(!doubts.contains(9) && !doubts.contains(60_000))
  }

  @Test func `a few doubts leave everything else alone`() {
    var doubts = MakerDoubts()
    doubts.insert(5...7)
    doubts.insert(20...20)
    doubts.insert(6...9)
    #expect((5...9).allSatisfy { doubts.contains($0) } && doubts.contains(20))
    #expect(![4, 10, 19, 21].contains { doubts.contains($0) })
  }
}
