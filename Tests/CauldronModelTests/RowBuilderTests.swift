import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite("RowBuilder")
struct RowBuilderTests {
  private let person: EntityLayout

  init() throws { person = try TestModels.people().entity("Person") }

  @Test("Appends texts to the newest row in place")
  func inPlace() {
    var builder = RowBuilder()
    let row = builder.begin(person, key: 7)
    let empty = row.size
    #expect(builder.set(0, .text("jack"), of: row, person) == row)
    #expect(builder.set(4, .text("a@b"), of: row, person) == row)
    #expect(builder.set(1, .integer(5), of: row, person) == row)
    #expect(row.size == empty + 7)
    #expect(builder.memory.blockCount == 1)
    #expect(row.key == 7)
    #expect(row.version == 0)
    #expect(row.entityNumber == person.number)
    #expect(person.value("name", in: row) == .text("jack"))
    #expect(person.value("email", in: row) == .text("a@b"))
  }

  @Test("A shorter text takes the place of a longer one")
  func overwriting() {
    var builder = RowBuilder()
    let row = builder.set(0, .text("jackson"), of: builder.begin(person, key: 1), person)
    let size = row.size
    #expect(builder.set(0, .text("jill"), of: row, person) == row)
    #expect(row.size == size)
    #expect(person.value("name", in: row) == .text("jill"))
    #expect(builder.set(0, .text(""), of: row, person) == row)
    #expect(person.value("name", in: row) == .text(""))
  }

  @Test("A text that does not fit behind a finished row moves the row and leaves the old one alone")
  func relocation() {
    var builder = RowBuilder()
    let first = builder.set(0, .text("jack"), of: builder.begin(person, key: 1), person)
    _ = builder.begin(person, key: 2)
    let moved = builder.set(0, .text("jackson"), of: first, person)
    #expect(moved != first)
    #expect(moved.key == 1)
    #expect(person.value("name", in: moved) == .text("jackson"))
    #expect(person.value("name", in: first) == .text("jack"))
  }

  @Test("Takes a new block when the current one is full")
  func newBlock() {
    var builder = RowBuilder()
    let text = String(repeating: "x", count: 1_000)
    var rows: [RowPointer] = []
    for key in 1...200 {
      rows.append(
        builder.set(0, .text("\(key)\(text)"), of: builder.begin(person, key: Int64(key)), person))
    }
    #expect((4...6).contains(builder.memory.blockCount))
    for row in rows {
      #expect(person.value("name", in: row) == .text("\(row.key)\(text)"))
      #expect(builder.memory.holds(row.block))
    }
  }

  @Test("Texts larger than a block get a block of their own", arguments: [65_000, 65_536, 300_000])
  func oversized(count: Int) {
    var builder = RowBuilder()
    let text = AttributeScalar.text(String(repeating: "y", count: count))
    let row = builder.set(0, text, of: builder.begin(person, key: 1), person)
    let next = builder.set(0, .text("next"), of: builder.begin(person, key: 2), person)
    #expect(person.value("name", in: row) == text)
    #expect(person.value("name", in: next) == .text("next"))
    #expect(builder.memory.holds(row.block))
    #expect(builder.memory.holds(next.block))
  }

  @Test("A row never begins where its address would not lead to its block")
  func ownerOfRows() {
    var builder = RowBuilder()
    let photo = AttributeScalar.blob(Data(repeating: 1, count: 100_000))
    let large = builder.set(8, photo, of: builder.begin(person, key: 1), person)
    let merged = builder.merge(PropertySet([8]), from: large, onto: large, person)
    #expect(builder.block.free > 80_000, "the merged row needed less than was set aside for it")
    let next = builder.begin(person, key: 2)
    for row in [large, merged, next] { #expect(builder.memory.holds(row)) }
  }

  @Test("Merging takes the named properties from one row and all others from the base")
  func merging() {
    var builder = RowBuilder()
    var base = builder.begin(person, key: 3)
    base = builder.set(0, .text("jack"), of: base, person)
    base = builder.set(1, .integer(5), of: base, person)
    base.setVersion(4)
    var source = builder.begin(person, key: 3)
    source = builder.set(0, .text("a much longer name than before"), of: source, person)
    source = builder.set(4, .text("a@b"), of: source, person)
    let merged = builder.merge(PropertySet([0, 1]), from: source, onto: base, person)
    #expect(person.value("name", in: merged) == .text("a much longer name than before"))
    #expect(person.value("age", in: merged) == .null)
    #expect(person.value("email", in: merged) == .null)
    #expect(merged.version == 4)
    #expect(person.value("name", in: base) == .text("jack"))
    #expect(builder.open == nil)
  }

  @Test("Rows outlive their builder as long as their block is held")
  func lifetime() {
    let held = row(named: "jack")
    #expect(person.value("name", in: held.row) == .text("jack"))
    // The memory of blocks that went away is used again.
    let others = (0..<200).map { row(named: "other \($0)") }
    #expect(person.value("name", in: held.row) == .text("jack"))
    #expect(!others.contains { $0.row == held.row })
  }

  private func row(named name: String) -> HeldRow {
    var builder = RowBuilder()
    return builder.set(0, .text(name), of: builder.begin(person, key: 1), person).held
  }
}
