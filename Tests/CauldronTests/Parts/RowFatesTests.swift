import CauldronModel
import CauldronStore
import TestSupport
import Testing

@testable import CauldronLedger
@testable import CauldronSave

/// What several change sets do to rows as a whole.
@Suite struct RowFatesTests {
  private let factory: RowFactory
  private let row: HeldRow

  init() throws {
    factory = RowFactory(try TestModels.people())
    row = factory.row("Person", 1, ["age": .integer(1)])
  }

  private var insertion: ChangeSet { ChangeSet(1, from: factory, inserted: [row]) }
  private var update: ChangeSet {
    ChangeSet(
      2, from: factory, updated: [factory.update(row.row, ["age": .integer(2)])], keeping: [row])
  }
  private var deletion: ChangeSet {
    ChangeSet(3, from: factory, deleted: [row.row], keeping: [row])
  }

  private func kinds(_ sets: ChangeSet...) -> [RowChange.Kind] {
    var fates = RowFates()
    for set in sets { fates.add(set) }
    let kinds = fates.changes.map(\.kind)
    #expect(fates.count == kinds.count)
    return kinds
  }

  @Test func `a row is counted once, as what all sets make of it`() {
    #expect(kinds(insertion) == [.insertion])
    #expect(kinds(insertion, update) == [.insertion])
    #expect(kinds(update, update) == [.update])
    #expect(kinds(update, deletion) == [.deletion])
    #expect(kinds(deletion, insertion) == [.update])
  }

  @Test func `a row that is inserted and deleted is not counted, until it is inserted again`() {
    #expect(kinds(insertion, deletion) == [])
    #expect(kinds(insertion, update, deletion) == [])
    #expect(kinds(insertion, deletion, insertion) == [.insertion])
    #expect(kinds(deletion, insertion, deletion) == [.deletion])
  }

  @Test func `a closing report counts the rows of each context`() {
    var count = ChangeCount()
    count.add(insertion, in: "a")
    count.add(update, in: "a")
    count.add(deletion, in: "b")
    #expect(count.total == 2 && count.contexts == "\"a\" (1), \"b\" (1)")
    count.add(deletion, in: "a")
    #expect(count.total == 1 && count.contexts == "\"b\" (1)")
  }
}
