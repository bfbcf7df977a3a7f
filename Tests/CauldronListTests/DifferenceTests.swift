import TestSupport
import Testing

@testable import CauldronList

@Suite struct DifferenceTests {
  private let order = ItemOrder()

  private func snapshot<S: ListSectioning<Item>>(
    _ items: [Item], _ sectioning: S
  ) throws -> ListSnapshot<Item, S.Section> {
    ListSnapshot(
      try ListContents(sorted: items.sorted { order.precedes($0, $1) }, by: sectioning))
  }

  @Test func `a path prints its section and item`() {
    #expect("\(ListPath(section: 0, item: 3))" == "[0, 3]")
  }

  @Test func nothingHasChanged() throws {
    let items = (0..<5).map { Item(key: $0, value: Int32($0)) }
    let old = try snapshot(items, ItemSections())
    let again = items.map { Item(key: $0.key, value: $0.value, stamp: 1) }
    let new = try snapshot(again, ItemSections())
    let difference = ListDifference(from: old, to: new, touched: 0..<9, by: order)
    #expect(difference.isEmpty)
    let marked = ListDifference(from: old, to: new, touched: 0..<9, marks: [3, 3, 77], by: order)
    #expect(marked.updates == [.init(key: 3, from: 3, to: 3)] && marked.count == 1)
  }

  @Test func everythingGoesAndComes() throws {
    let items = (0..<1_200).map { Item(key: $0, value: Int32($0)) }
    let others = (2_000..<2_700).map { Item(key: $0, value: Int32($0)) }
    let sectioning = ItemSections(width: 100)
    let snapshots = try [[], items, others].map { try snapshot($0, sectioning) }
    for old in snapshots {
      for new in snapshots {
        let difference = ListDifference(from: old, to: new, touched: 0..<3_000, by: order)
        check(difference, from: old, to: new, sectioning, "")
      }
    }
    let difference = ListDifference(
      from: snapshots[0], to: snapshots[1], touched: 0..<3_000, by: order)
    #expect(difference.sectionInsertions == Array(0..<12) && difference.count == 1_200)
  }

  @Test func aListWithoutSectionsNeverLosesItsOne() throws {
    let old = try snapshot([], Undivided())
    let new = try snapshot([Item(key: 1)], Undivided())
    let difference = ListDifference(from: old, to: new, touched: [1], by: order)
    #expect(difference.sectionInsertions.isEmpty && difference.insertions.count == 1)
    #expect(old.sectionCount == 1 && old.places(inSection: 0).isEmpty)
  }

  @Test func onlyWhatOthersOvertookMoves() throws {
    let values: [Int32] = [10, 20, 30, 40, 50]
    let items = values.enumerated().map { Item(key: Int64($0), value: $1) }
    let old = try snapshot(items, Undivided())
    var changed = items
    changed[1].value = 25
    changed[4].value = 5
    let new = try snapshot(changed, Undivided())
    let difference = ListDifference(from: old, to: new, touched: [1, 4], by: order)
    #expect(difference.updates == [.init(key: 1, from: 1, to: 2)])
    #expect(difference.moves == [.init(key: 4, from: 4, to: 0)])
    #expect(difference.count == 2)
    let marked = ListDifference(
      from: old, to: new, touched: [1, 4], marks: [1, 4], by: order)
    #expect(marked == difference)
  }

  @Test func anElementThatChangesItsSectionMoves() throws {
    let items = [Item(key: 1, value: 1), Item(key: 2, value: 11)]
    let old = try snapshot(items, ItemSections())
    let new = try snapshot([items[0], Item(key: 2, value: 9)], ItemSections())
    let difference = ListDifference(from: old, to: new, touched: [2], by: order)
    #expect(difference.moves == [.init(key: 2, from: 1, to: 1)])
    #expect(difference.sectionDeletions == [1] && difference.sectionInsertions.isEmpty)
    check(difference, from: old, to: new, ItemSections(), "")
  }

  @Test func aSectionWhoseElementsAreAllOthersStays() throws {
    let old = try snapshot([Item(key: 1, value: 1), Item(key: 2, value: 2)], ItemSections())
    let new = try snapshot([Item(key: 3, value: 3)], ItemSections())
    let difference = ListDifference(from: old, to: new, touched: 1...3, by: order)
    #expect(difference.sectionDeletions.isEmpty && difference.sectionInsertions.isEmpty)
    check(difference, from: old, to: new, ItemSections(), "")
  }

  @Test func manyChangesAreAReload() throws {
    let items = (0..<10_001).map { Item(key: $0, value: Int32($0)) }
    let old = try snapshot([], Undivided())
    let most = try snapshot(Array(items.dropLast()), Undivided())
    let more = try snapshot(items, Undivided())
    #expect(ListDifference(from: old, to: most, touched: 0..<20_000, by: order).count == 10_000)
    let reload = ListDifference(from: old, to: more, touched: 0..<20_000, by: order)
    #expect(reload.isReload && reload.count == 0 && !reload.isEmpty)
    #expect(reload.collectionDifference { $0 } == nil)
    #expect(ListDifference(from: more, to: more, touched: 0..<20_000, by: order).isEmpty)
    // Neither side shows many, but each shows others.
    let front = ListSnapshot(more.contents, range: 0..<5_001)
    let back = ListSnapshot(more.contents, range: 5_000..<10_001)
    #expect(ListDifference(from: front, to: back, touched: [], by: order).count == 10_000)
    #expect(ListDifference(from: front, to: back, touched: [], by: order, most: 9_999).isReload)
  }

  @Test func aDifferenceComparesFewElements() throws {
    let items = (0..<100_000).map { Item(key: $0, value: Int32($0 * 2)) }
    let old = try snapshot(items, Undivided())
    let edits = [ListEdit.remove(items[500]), .insert(Item(key: 500, value: 77_777))]
    let contents = try old.contents.applying(edits, by: order, Undivided())
    let counter = Counter()
    let difference = ListDifference(
      from: old, to: ListSnapshot(contents), touched: [500],
      by: CountingOrder(order: order, counter: counter))
    #expect(difference.moves.count == 1 && difference.count == 1)
    #expect(counter.count < 50)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func subsequencesAreLongest(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let numbers = (0..<generator.below(11)).map { _ in generator.below(12) }
    let found = numbers.longestIncreasing().map { numbers[$0] }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
    let longest = (0..<1 << numbers.count).lazy.map { choice in
      numbers.indices.filter { choice >> $0 & 1 == 1 }.map { numbers[$0] }
    }.filter { part in zip(part, part.dropFirst()).allSatisfy { $0 < $1 } }.map(\.count).max()
    #expect(found.count == longest)
  }
}
