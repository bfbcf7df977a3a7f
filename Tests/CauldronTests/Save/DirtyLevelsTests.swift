import Cauldron
import TestSupport
import Testing

/// A save passes levels that have changes of their own, and levels that have none.
@Suite(.againstHanging) struct DirtyLevelsTests {
  @Test(arguments: 0..<16)
  func `whichever levels have changes, a chain save brings all of them to the store`(
    _ pattern: Int
  ) throws {
    let bench = try Bench()
    var levels = [bench.root]
    for number in 1..<4 { levels.append(bench.child("Level \(number)", of: levels[number - 1])) }
    let dirty = levels.indices.filter { pattern & (1 << $0) != 0 }
    for number in dirty {
      levels[number].performAndWait { _ = Person.named("\(number)", in: $0.context) }
    }
    try levels[3].saveAndWait(toPersistentStore: true)
    let names = try Person.findAll(sortedBy: \.name, in: bench.committed()).map(\.name)
    #expect(names == dirty.map { "\($0)" })
    #expect(levels.allSatisfy { !bench.isDirty($0) })
  }
}
