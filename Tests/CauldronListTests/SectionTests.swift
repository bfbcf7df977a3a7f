import TestSupport
import Testing

@testable import CauldronList

@Suite struct SectionTests {
  private let order = ItemOrder()

  private func check<S: ListSectioning<Item>>(
    _ contents: ListContents<Item, S.Section>, _ items: [Item], _ sectioning: S, _ comment: Comment
  ) {
    let snapshot = ListSnapshot(contents)
    #expect(snapshot.groups == groups(items, by: sectioning), comment)
    #expect(contents.sections?.elementCount == items.count, comment)
    var place = 0
    for (section, group) in groups(items, by: sectioning).enumerated() {
      for item in group.members.indices {
        let path = ListPath(section: section, item: item)
        #expect(snapshot.path(of: place) == path && snapshot.place(of: path) == place, comment)
        place += 1
      }
    }
  }

  @Test(arguments: [1, 3, 100], 1...4 as ClosedRange<UInt64>)
  func randomEditsKeepTheGrouping(_ width: Int32, _ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let sectioning = ItemSections(width: width)
    let count = [0, 10, 1_500, 3_000][Int(seed % 4)]
    var oracle = PlainTree((0..<count).map { Item(key: Int64($0), value: Int32($0)) }, order)
    var contents = try ListContents(sorted: oracle.items, by: sectioning)
    for step in 0..<40 {
      let most = generator.once(in: 5) ? 800 : 5
      let (edits, _) = oracle.edit(&generator, count: 1 + generator.below(most))
      contents = try contents.applying(edits, by: order, sectioning)
      if step % 4 == 0 {
        check(contents, oracle.items, sectioning, "width \(width), seed \(seed), step \(step)")
      }
      #expect(contents.sections?.chunks.allSatisfy { 1...256 ~= $0.runs.count } == true)
    }
  }

  @Test func manySectionsAreSharedByChunks() throws {
    let sectioning = ItemSections(width: 1)
    let items = (0..<20_000).map { Item(key: Int64($0), value: Int32($0)) }
    let contents = try ListContents(sorted: items, by: sectioning)
    let known = Set(contents.sections?.chunks.map(ObjectIdentifier.init) ?? [])
    #expect(known.count == 79)
    let edits = [ListEdit.remove(items[5_000]), .remove(items[5_001])]
    let changed = try contents.applying(edits, by: order, sectioning)
    let fresh = changed.sections?.chunks.filter { !known.contains(ObjectIdentifier($0)) } ?? []
    #expect(changed.sections?.count == 19_998)
    // The one that was changed, and the last one, which is small.
    #expect(fresh.count == 2)
  }

  @Test func sectionsGoOnAtTheBordersOfChunks() throws {
    let sectioning = ItemSections(width: 1)
    let items = (0..<2_000).map { Item(key: Int64($0), value: Int32($0)) }
    let contents = try ListContents(sorted: items, by: sectioning)
    for border in contents.sections?.elementEnds.dropLast() ?? [] {
      let behind = Item(key: 9_999, value: items[border - 1].value)
      let before = Item(key: -1, value: items[border].value)
      let gone = items[border - 50]
      for edits in [[behind], [before], [behind, before]].map({ $0.map(ListEdit.insert) }) {
        let few = try contents.applying(edits, by: order, sectioning)
        let more = try contents.applying([.remove(gone)] + edits, by: order, sectioning)
        let all = (items + edits.compactMap(\.new)).sorted { order.precedes($0, $1) }
        #expect(ListSnapshot(few).groups == groups(all, by: sectioning))
        let rest = all.filter { $0.key != gone.key }
        #expect(ListSnapshot(more).groups == groups(rest, by: sectioning))
      }
    }
  }

  @Test func appendingOneByOneMakesNoSmallChunks() throws {
    let sectioning = ItemSections(width: 1)
    var contents = try ListContents(sorted: [Item](), by: sectioning)
    for value in 0..<2_000 {
      let item = Item(key: Int64(value), value: Int32(value))
      contents = try contents.applying([.insert(item)], by: order, sectioning)
    }
    #expect(contents.sections?.count == 2_000)
    #expect(contents.sections?.chunks.count ?? .max <= 16)
  }

  @Test func anElementMayChangeItsSectionWithoutChangingItsPlace() throws {
    let sectioning = ByText()
    let items = (0..<3).map { Item(key: $0, value: 1, text: 5) }
    let contents = try ListContents(sorted: items, by: sectioning)
    let other = Item(key: 2, value: 1, text: 6)
    let changed = try contents.applying([.replace(items[2], by: other)], by: order, sectioning)
    check(changed, [items[0], items[1], other], sectioning, "")
  }

  @Test func sectionsThatAreApartAreRefused() throws {
    let sectioning = ByText()
    let apart = [1, 2, 1].enumerated().map { Item(key: Int64($0), text: $1) }
    #expect(throws: RepeatedSection(value: Int32(1), between: Int32(2))) {
      try ListContents(sorted: apart, by: sectioning)
    }
    let items = [1, 1, 3, 3].enumerated().map { Item(key: Int64($0) * 2, text: $1) }
    let contents = try ListContents(sorted: items, by: sectioning)
    // In the middle of a section; behind the other section.
    for (item, between) in [(Item(key: 1, text: 2), 2), (Item(key: 7, text: 1), 3)] {
      #expect(throws: RepeatedSection(value: Int32(1), between: Int32(between))) {
        try contents.applying([.insert(item)], by: order, sectioning)
      }
    }
    // All of a section goes while another of its value comes elsewhere.
    let edits = [ListEdit.remove(items[0]), .remove(items[1]), .insert(Item(key: 7, text: 1))]
    let moved = try contents.applying(edits, by: order, sectioning)
    #expect(moved.sections?.count == 2 && moved.sections?[1] == SectionRun(1, 1))
  }

  /// Sections that do not follow from the order.
  private struct ByText: ListSectioning {
    func section(of element: Item) -> Int32 { element.text }
  }
}
