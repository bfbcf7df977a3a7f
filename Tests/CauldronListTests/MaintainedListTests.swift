import TestSupport
import Testing

@testable import CauldronList

@Suite struct MaintainedListTests {
  /// A list of a world with consumers, stepped at random and compared with sorted arrays.
  private func run<S: ListSectioning<Item>>(
    _ seed: UInt64, _ sectioning: S, _ window: ListWindow, size: Int, steps: Int, values: Int
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let order = ItemOrder(ascending: seed % 2 == 0)
    var world = World(size: size, values: values)
    _ = world.change(&generator, count: generator.below(2 * size))
    var list = try start(world, order, sectioning, window)
    var consumers = [1, 3, 10].map { Consumer(snapshot: list.snapshot, pace: $0) }
    var kept: [(ListSnapshot<Item, S.Section>, [Item])] = []
    for step in 0..<steps {
      let comment: Comment = "seed \(seed), step \(step), \(window)"
      let count = generator.once(in: 5) ? 1 + generator.below(size) : 1 + generator.below(4)
      let changes =
        generator.once(in: 60) ? world.clear() : world.change(&generator, count: count)
      let touched = try apply(changes, to: &list, world, comment)
      for index in consumers.indices { consumers[index].touched += touched }
      check(list, world, comment)
      look(&consumers, list, &generator, comment)
      if generator.once(in: 10) { kept.append((list.snapshot, list.snapshot.elements)) }
    }
    #expect(kept.allSatisfy { $0.0.elements == $0.1 })
    #expect(kept.allSatisfy { $0.0.groups == groups($0.1, by: sectioning) })
  }

  private func start<S: ListSectioning<Item>>(
    _ world: World, _ order: ItemOrder, _ sectioning: S, _ window: ListWindow
  ) throws -> MaintainedList<ItemOrder, S> {
    let all = world.sorted(by: order)
    let first = Array(all.prefix(window.capacity ?? .max))
    return try MaintainedList(
      sorted: first, isComplete: first.count == all.count, window: window, by: order, sectioning)
  }

  private func apply<S: ListSectioning<Item>>(
    _ changes: [ListChange<Item>], to list: inout MaintainedList<ItemOrder, S>, _ world: World,
    _ comment: Comment
  ) throws -> [Int64] {
    let before = list.contents
    var touched = try list.apply(changes)
    if let refill = list.refill {
      let all = world.sorted(by: list.order)
      let start = refill.last.map { last in all.count { !list.order.precedes(last, $0) } } ?? 0
      let found = Array(all[start...].prefix(refill.count))
      touched += try list.append(found, isComplete: start + found.count == all.count)
    }
    #expect(list.refill == nil, comment)
    let differing = list.contents.keys.keys(differingFrom: before.keys)
    #expect(Set(touched).isSuperset(of: differing), comment)
    return touched
  }

  private func check<S: ListSectioning<Item>>(
    _ list: MaintainedList<ItemOrder, S>, _ world: World, _ comment: Comment
  ) {
    let all = world.sorted(by: list.order).map(\.plain)
    let held = all.prefix(list.contents.count)
    #expect(list.contents.tree.map(\.plain) == Array(held), comment)
    #expect(list.contents.count <= list.window.capacity ?? .max, comment)
    #expect(!list.isComplete || list.contents.count == all.count, comment)
    let shown = all.dropFirst(list.window.offset).prefix(list.window.limit ?? .max)
    #expect(list.snapshot.elements.map(\.plain) == Array(shown), comment)
    #expect(list.snapshot.groups == groups(Array(shown), by: list.sectioning), comment)
    #expect(list.contents.keys.count == list.contents.count, comment)
    #expect(list.contents.tree.allSatisfy { list.contents.keys[$0.key] == $0 }, comment)
  }

  private func look<S: ListSectioning<Item>>(
    _ consumers: inout [Consumer<S.Section>], _ list: MaintainedList<ItemOrder, S>,
    _ generator: inout SeededGenerator, _ comment: Comment
  ) {
    for index in consumers.indices where generator.once(in: consumers[index].pace) {
      let old = consumers[index].snapshot
      let difference = ListDifference(
        from: old, to: list.snapshot, touched: consumers[index].touched.shuffled(using: &generator),
        by: list.order)
      CauldronListTests.check(difference, from: old, to: list.snapshot, list.sectioning, comment)
      consumers[index] = Consumer(snapshot: list.snapshot, pace: consumers[index].pace)
    }
  }

  private func window(_ seed: UInt64) -> ListWindow {
    switch seed % 5 {
    case 0: .all
    case 1: ListWindow(offset: 0, limit: 5, buffer: 3)
    case 2: ListWindow(offset: 4, limit: 6, buffer: 2)
    case 3: ListWindow(offset: 3)
    default: ListWindow(offset: 1, limit: 1, buffer: 0)
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func smallListsAreRight(_ seed: UInt64) throws {
    let size = [3, 8, 12, 30][Int(seed / 5 % 4)]
    try run(seed, ItemSections(width: 3), window(seed), size: size, steps: 150, values: 9)
    try run(seed, Undivided(), window(seed), size: size, steps: 100, values: 5)
  }

  @Test func snapshotsAreReadWhileTheListGoesOn() async throws {
    var generator = SeededGenerator(seed: 8)
    var world = World(size: 3_000, values: 500)
    _ = world.change(&generator, count: 3_000)
    var list = try start(world, ItemOrder(), ItemSections(), .all)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 {
        let (old, before) = (list.snapshot, list.snapshot.elements)
        let touched = (try? list.apply(world.change(&generator, count: 20))) ?? []
        let (new, order) = (list.snapshot, list.order)
        group.addTask {
          let difference = ListDifference(from: old, to: new, touched: touched, by: order)
          return old.elements == before && difference.replayed(on: old.keys) == new.keys
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  /// Numbers below 100, of which those below 50 are listed in sections by tens: once a section
  /// counted one element, and held two.
  @Test func numbersThatComeAndGoKeepTheirSections() throws {
    var generator = SeededGenerator(seed: 50)
    var numbers = [Int32](repeating: 99, count: 20)
    var list = try MaintainedList(
      sorted: [], isComplete: true, by: ItemOrder(), ItemSections(width: 10))
    for step in 0..<1_000 {
      let keys = Set((0...generator.below(8)).map { _ in generator.below(20) })
      for key in keys { numbers[key] = Int32(generator.below(100)) }
      let items = numbers.enumerated().map { Item(key: Int64($0), value: $1) }
      let old = list.snapshot
      let touched = try list.apply(
        keys.map { ListChange(Int64($0), numbers[$0] < 50 ? items[$0] : nil) })
      let listed = items.filter { $0.value < 50 }.sorted { list.order.precedes($0, $1) }
      #expect(list.snapshot.groups == groups(listed, by: list.sectioning), "step \(step)")
      let difference = ListDifference(
        from: old, to: list.snapshot, touched: touched, by: list.order)
      CauldronListTests.check(
        difference, from: old, to: list.snapshot, list.sectioning, "step \(step)")
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func listsOfManyLeavesAreRight(_ seed: UInt64) throws {
    let window = seed % 2 == 0 ? ListWindow.all : ListWindow(offset: 600, limit: 700)
    try run(seed, NamedSections(width: 4), window, size: 4_000, steps: 25, values: 2_000)
  }
}
