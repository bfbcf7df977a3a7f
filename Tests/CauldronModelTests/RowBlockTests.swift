import CauldronModel
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite struct RowBlockTests {
  /// The last release of a block comes after all others, which ThreadSanitizer does not see. So
  /// this tests that it is not misled by memory that is used again: it must not report anything.
  @Test func `memory that another thread has read is free to be filled again`() {
    let reads = Reads()
    for _ in 0..<20 {
      var block: RowBlock? = filledBlock()
      DispatchQueue.global().async { [block] in
        if let block, firstWord(block) == 7 { reads.count.add(1, ordering: .relaxed) }
      }
      // Nothing that could be seen as an order between the threads; only time.
      Thread.sleep(forTimeInterval: 0.005)
      block = nil
      let others = (0..<4).map { _ in filledBlock() }
      #expect(others.allSatisfy { firstWord($0) == 7 })
    }
    while reads.count.load(ordering: .relaxed) < 20 { Thread.sleep(forTimeInterval: 0.001) }
  }
}

private final class Reads: Sendable {
  let count = Atomic<Int>(0)
}

private func filledBlock() -> RowBlock {
  let block = RowBlock()
  words(block)[0] = 7
  return block
}

private func firstWord(_ block: RowBlock) -> Int { words(block)[0] }

private func words(_ block: RowBlock) -> UnsafeMutablePointer<Int> {
  (block.base + block.used).assumingMemoryBound(to: Int.self)
}
