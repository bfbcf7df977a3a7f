import CauldronModel
import TestSupport
import Testing

@Suite("PropertySet")
struct PropertySetTests {
  @Test("Behaves like a set of integers", arguments: 0..<20)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let a = Set((0..<20).map { _ in Int.random(in: 0..<200, using: &generator) })
    let b = Set((0..<20).map { _ in Int.random(in: 0..<90, using: &generator) })
    let mine = PropertySet(a)
    let other = PropertySet(b)
    #expect(mine.indices == a.sorted())
    #expect((0..<300).allSatisfy { mine.contains($0) == a.contains($0) })
    #expect(mine.union(other).indices == a.union(b).sorted())
    #expect(other.union(mine) == mine.union(other))
    #expect(mine.intersection(other).indices == a.intersection(b).sorted())
    #expect(other.intersection(mine) == PropertySet(a.intersection(b)))
  }

  @Test("Is empty until something is inserted")
  func empty() {
    #expect(PropertySet().isEmpty)
    #expect(!PropertySet([0]).isEmpty)
    #expect(!PropertySet([64]).isEmpty)
    #expect(PropertySet([70]).intersection(PropertySet([71])) == PropertySet())
  }
}
