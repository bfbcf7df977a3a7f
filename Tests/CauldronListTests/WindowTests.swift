import Testing

@testable import CauldronList

@Suite struct WindowTests {
  private typealias List = MaintainedList<ItemOrder, Undivided<Item>>

  private func list(
    _ keys: ClosedRange<Int64>, _ isComplete: Bool, _ window: ListWindow
  ) throws -> List {
    let items = keys.map { Item(key: $0, value: Int32($0)) }
    return try List(
      sorted: items, isComplete: isComplete, window: window, by: ItemOrder(), Undivided())
  }

  private func item(_ key: Int64, _ value: Int32) -> ListChange<Item> {
    ListChange(key, Item(key: key, value: value))
  }

  @Test func theBufferIsAsLargeAsWhatIsShown() {
    #expect(ListWindow(limit: 10).capacity == 74)
    #expect(ListWindow(offset: 5, limit: 1_000).capacity == 2_005)
    #expect(ListWindow(offset: 5).capacity == nil)
    #expect(ListWindow(offset: 5, limit: .max).capacity == .max)
    #expect(ListWindow(offset: 5, limit: 10).range(of: 3) == 3..<3)
    #expect(ListWindow(offset: 5, limit: 10).range(of: 9) == 5..<9)
    #expect(ListWindow(offset: 5, limit: 10).range(of: 99) == 5..<15)
  }

  @Test func anInsertionInFrontPushesTheLastOneOut() throws {
    var list = try list(1...9, false, ListWindow(offset: 2, limit: 3, buffer: 4))
    let old = list.snapshot
    let touched = try list.apply([item(100, 0)])
    #expect(list.snapshot.keys == [2, 3, 4] && list.contents.tree.map(\.key).last == 8)
    let difference = ListDifference(from: old, to: list.snapshot, touched: touched, by: list.order)
    #expect(difference.insertions == [.init(key: 2, place: 0)])
    #expect(difference.deletions == [.init(key: 5, place: 2)])
    #expect(difference.count == 2)
  }

  @Test func whatLiesBehindTheLastOneIsIgnored() throws {
    var list = try list(1...9, false, ListWindow(limit: 3, buffer: 6))
    #expect(try list.apply([item(100, 10)]) == [])
    #expect(try list.apply([item(3, 10)]) == [3])
    #expect(list.snapshot.keys == [1, 2, 4] && list.contents.keys[3] == nil)
    #expect(list.refill == nil)
  }

  @Test func theLastOneMayChangeWithoutBeingForgotten() throws {
    var list = try list(1...4, false, ListWindow(limit: 3, buffer: 1))
    let changed = ListChange(4, Item(key: 4, value: 4, text: 9))
    #expect(try list.apply([changed]) == [4])
    #expect(list.contents.tree.last?.text == 9)
  }

  @Test func aRefillFollowsTheLastOne() throws {
    var list = try list(1...5, false, ListWindow(limit: 3, buffer: 2))
    _ = try list.apply([ListChange(1, nil), ListChange(5, nil)])
    #expect(list.refill == nil && list.snapshot.keys == [2, 3, 4])
    _ = try list.apply([ListChange(4, nil)])
    #expect(list.refill?.last?.key == 3 && list.refill?.count == 3)
    let found = (6...7).map { Item(key: $0, value: Int32($0)) }
    #expect(try list.append(found, isComplete: true) == [6, 7])
    #expect(list.refill == nil && list.snapshot.keys == [2, 3, 6] && list.isComplete)
    // Now everything is known, and what comes last is taken.
    #expect(try list.apply([item(8, 8)]) == [8])
    #expect(list.isComplete && list.contents.count == 5)
    #expect(Set(try list.apply([item(9, 9)])) == [9])
    #expect(!list.isComplete && list.contents.count == 5)
  }

  @Test func aListOfWhichNothingIsLeftIsFilledFromTheFirst() throws {
    var list = try list(1...3, false, ListWindow(limit: 1, buffer: 2))
    _ = try list.apply([1, 2, 3].map { ListChange($0, nil) })
    #expect(list.refill != nil && list.refill?.last == nil && list.refill?.count == 3)
    #expect(try list.apply([item(0, 0)]) == [])
    #expect(try list.append([], isComplete: true) == [])
    #expect(list.refill == nil && list.snapshot.isEmpty)
  }

  @Test func anotherWindowOfTheSameContentsDiffers() throws {
    let contents = try list(0...99, true, .all).contents
    for (a, b) in [(0..<10, 5..<15), (0..<10, 50..<60), (20..<30, 0..<100), (5..<5, 2..<9)] {
      for (from, to) in [(a, b), (b, a)] {
        let old = ListSnapshot(contents, range: from)
        let new = ListSnapshot(contents, range: to)
        let difference = ListDifference(from: old, to: new, touched: [], by: ItemOrder())
        check(difference, from: old, to: new, Undivided<Item>(), "\(from) \(to)")
        #expect(difference.moves.isEmpty && difference.updates.isEmpty)
      }
    }
  }
}
