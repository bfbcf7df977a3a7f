import CauldronModel
import TestSupport
import Testing

/// Rows and their memory are one value, whatever is made of it.
@Suite struct RowSetTests {
  private let person: EntityLayout

  init() throws { person = try TestModels.people().entity("Person") }

  /// Rows with ascending keys, each in memory of its own or all side by side.
  private func rows(_ keys: ClosedRange<Int64>, apart: Bool = false) -> (RowSet, BlockWatch) {
    var builder = RowBuilder()
    var set = RowSet()
    for key in keys {
      if apart { builder = RowBuilder() }
      let row = builder.set(1, .integer(key), of: builder.begin(person, key: key), person)
      set.append(row.held)
      builder.close()
    }
    return (set, set.withRows { BlockWatch($0) })
  }

  private func ages(_ set: RowSet) -> [AttributeScalar] {
    set.map { person.value("age", in: $0) }
  }

  @Test func `a set keeps the memory of its rows, each block once, and no longer than it lives`() {
    var (set, watch): (RowSet?, BlockWatch) = rows(1...2_000)
    #expect(set?.memory.blockCount ?? 0 > 1)
    #expect(set?.memory.blockCount ?? 0 < 10)
    #expect(set.map(ages) == (1...2_000).map { .integer($0) })
    #expect(watch.alive.count == 2_000)
    set = nil
    #expect(watch.alive == [])
  }

  @Test func `blocks that rows come back to are kept once`() {
    let (set, _) = rows(1...40, apart: true)
    var twice = set
    twice.append(contentsOf: set)
    set.walk { twice.append($0.held) }
    #expect(twice.count == 120)
    #expect(twice.memory.blockCount == 40)
    #expect(twice.memory.capacity == 40 * RowBlock.unit)
  }

  @Test func `the few rows of a selection keep no memory of the others`() throws {
    var (set, watch) = rows(1...50, apart: true)
    set = set.filter(offset: 1, limit: 3) { $0.key % 10 == 0 }
    #expect(set.map(\.key) == [20, 30, 40])
    #expect(ages(set) == [.integer(20), .integer(30), .integer(40)])
    #expect(watch.alive == [19, 29, 39])
    set = set[1..<2]
    #expect(watch.alive == [29])
    #expect(set.first?.row.key == 30)
    set = set[0..<0]
    #expect(set.isEmpty && set.first == nil)
    #expect(watch.alive == [])
  }

  @Test func `the many rows of a selection keep their memory`() {
    var set = rows(1...5_000).0
    set = set.filter { $0.key % 2 == 0 }
    #expect(ages(set) == stride(from: 2, through: 5_000, by: 2).map { .integer($0) })
    #expect(set.withRows { $0.allSatisfy { set.memory.holds($0.block) } })
    #expect(set.count { $0.key <= 100 } == 50)
  }

  @Test func `merged sets keep the memory of both, and one order`() {
    func set(_ keys: [Int64]) -> RowSet {
      RowSet(keys.map { key in rows(key...key).0 }.compactMap(\.first))
    }
    let (mine, others) = (set([1, 4, 4, 9]), set([2, 4, 10, 11]))
    var merged = mine.merged(with: others) { $0.key < $1.key }
    #expect(merged.map(\.key) == [1, 2, 4, 4, 4, 9, 10, 11])
    let fours = merged.map { $0 }.filter { $0.key == 4 }
    #expect(fours == mine.map { $0 }.filter { $0.key == 4 } + [others[1]])
    #expect(merged.memory.blockCount == 8)
    merged = merged.merged(with: RowSet()) { $0.key < $1.key }
    #expect(merged.withRowsByKey { $0.mapValues(\.key).count } == 6)
    #expect(merged.ids(3).map(\.storeNumber) == Array(repeating: 3, count: 8))
  }
}
