import CauldronModel
import TestSupport
import Testing

/// Each row comes in memory of its own, 64 KiB at a time: what is kept must not keep that.
@Suite struct RowKeeperTests {
  private let model: ManagedObjectModel
  private let person: EntityLayout

  init() throws {
    model = try TestModels.people()
    person = model.entity("Person")
  }

  private func row(_ key: Int64, letters: Int = 5) -> HeldRow {
    let text = String(repeating: "x", count: letters)
    return RowFactory(model).row("Person", key, ["name": .text("\(key)\(text)")])
  }

  /// Keeps a row that nobody else does.
  private func keep(_ row: HeldRow, in keeper: inout RowKeeper) -> HeldRow {
    withExtendedLifetime(row) { keeper.keep(row.row, person) }
  }

  @Test func `a kept row lets the memory go that it came in, and a dropped one its copy`() {
    var keeper = RowKeeper()
    var came: HeldRow? = row(7)
    let origin = BlockWatch([came].compactMap { $0?.row })
    var kept = came.map { keeper.keep($0.row, person) }
    let copy = BlockWatch([kept].compactMap { $0?.row })
    #expect(origin.alive == [0])
    came = nil
    #expect(origin.alive == [])
    #expect(kept.map { person.value("name", in: $0.row) } == .text("7xxxxx"))
    keeper = RowKeeper()
    #expect(copy.alive == [0])
    kept = nil
    #expect(copy.alive == [])
  }

  @Test func `kept rows take little more than their own bytes`() {
    var keeper = RowKeeper()
    let kept = (1...Int64(3_000)).map { keep(row($0), in: &keeper) }
    let set = RowSet(kept)
    let bytes = kept.reduce(0) { $0 + $1.row.size + 16 }
    #expect(set.memory.blockCount > 1)
    #expect(set.memory.capacity < bytes + 2 * RowBlock.unit)
    #expect(kept.allSatisfy { person.value("name", in: $0.row) == .text("\($0.row.key)xxxxx") })
  }

  @Test func `a keeper keeps none but its newest rows`() {
    var keeper = RowKeeper()
    var kept = (1...Int64(3_000)).map { keep(row($0), in: &keeper) }
    let watch = BlockWatch(kept.map(\.row))
    let last = kept.removeLast()
    kept = []
    #expect(watch.alive.count < 1_000)
    #expect(watch.alive.last == 2_999)
    #expect(last.row.key == 3_000)
  }

  @Test func `rows that fill their memory stay where they are`() {
    var keeper = RowKeeper()
    let large = row(1, letters: RowBlock.unit / 4)
    #expect(keeper.keep(large.row, person).row == large.row)
    let small = row(2)
    #expect(keeper.keep(small.row, person, isSparse: false).row == small.row)
    #expect(keeper.keep(small.row, person).row != small.row)
  }

  @Test func `memory is loose where most kept rows have gone`() {
    var keeper = RowKeeper()
    let row = row(1, letters: 1_000)
    for _ in 0..<800 { _ = keeper.keep(row.row, person) }
    #expect(!keeper.isLoose(around: 800 * row.row.size))
    #expect(!keeper.isLoose(around: row.row.size))
    for _ in 0..<800 { _ = keeper.keep(row.row, person) }
    #expect(keeper.isLoose(around: row.row.size))
    #expect(!keeper.isLoose(around: 800 * row.row.size))
  }
}
