import CauldronModel
import Foundation
import TestSupport
import Testing

/// A row takes the memory of what is in it, however often it was edited.
@Suite struct RowGrowthTests {
  private let person: EntityLayout
  private let empty: Int

  init() throws {
    person = try TestModels.people().entity("Person")
    var builder = RowBuilder()
    empty = builder.begin(person, key: 1).size
  }

  private func memory(_ builder: RowBuilder) -> Int {
    builder.memory.capacity
  }

  /// As long as the longest text that is typed.
  private let letters = [UInt8](repeating: UInt8(ascii: "x"), count: 400_000)

  private func text(_ count: Int) -> AttributeScalar {
    .text(String(decoding: letters[..<count], as: UTF8.self))
  }

  @Test func `a text that is typed letter by letter grows where it is`() {
    var builder = RowBuilder()
    var row = builder.begin(person, key: 1)
    for count in 1...20_000 { row = builder.set(0, text(count), of: row, person) }
    #expect(row.size == empty + 20_000)
    #expect(memory(builder) == RowBlock.unit)
    #expect(person.value("name", in: row) == text(20_000))
  }

  @Test func `a text longer than a block takes a few times its length while it is typed`() {
    var builder = RowBuilder()
    var row = builder.begin(person, key: 1)
    for count in stride(from: 1, through: 400_000, by: 97) {
      row = builder.set(0, text(count), of: row, person)
    }
    #expect(row.size < empty + 400_000)
    #expect(memory(builder) < 2_500_000)
  }

  @Test func `two texts that are typed in turn take twice their lengths at most`() {
    var builder = RowBuilder()
    var row = builder.begin(person, key: 1)
    for count in 1...5_000 {
      row = builder.set(0, text(count), of: row, person)
      row = builder.set(4, text(count + 1), of: row, person)
    }
    #expect(row.size < empty + 512 + 2 * 10_001)
    #expect(memory(builder) == RowBlock.unit)
    #expect(person.value("name", in: row) == text(5_000))
    #expect(person.value("email", in: row) == text(5_001))
  }

  @Test func `texts of two rows that are typed in turn take a few times their lengths`() {
    var builder = RowBuilder()
    var first = builder.begin(person, key: 1)
    var second = builder.begin(person, key: 2)
    for count in 1...5_000 {
      first = builder.set(0, text(count), of: first, person)
      second = builder.set(0, text(count), of: second, person)
    }
    #expect(memory(builder) <= 4 * RowBlock.unit)
    #expect(person.value("name", in: first) == text(5_000))
    #expect(person.value("name", in: second) == text(5_000))
  }

  @Test func `a text that is set and cleared in turn leaves nothing behind`() {
    var builder = RowBuilder()
    var row = builder.set(4, .text("a@b"), of: builder.begin(person, key: 1), person)
    for _ in 0..<10_000 {
      row = builder.set(0, .text("jack"), of: row, person)
      row = builder.set(0, .null, of: row, person)
    }
    #expect(row.size < empty + 1_024)
    #expect(builder.copy(row, person).size == empty + 3)
  }

  @Test func `a copy leaves behind what former texts have left`() {
    var builder = RowBuilder()
    var row = builder.set(0, text(500), of: builder.begin(person, key: 1), person)
    row = builder.set(4, .text("a@b"), of: row, person)
    row = builder.set(8, .blob(Data(repeating: 7, count: 40)), of: row, person)
    row = builder.set(0, .text("jack"), of: row, person)
    row = builder.set(4, .null, of: row, person)
    row.setVersion(9)
    let copy = builder.copy(row, person)
    #expect(copy.size == empty + 44)
    #expect(copy.version == 9 && copy.difference(from: row, person).isEmpty)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6])
  func `rows that are edited at random show what was set last`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var builder = RowBuilder()
    var rows = (1...4).map { builder.begin(person, key: Int64($0)) }
    var expected = rows.map { _ in [Int: AttributeScalar]() }
    for _ in 0..<3_000 {
      let number = Int.random(in: 0..<rows.count, using: &random)
      let index = random.pick([0, 4, 8])
      let count = Int.random(in: 0...random.pick([3, 40, 9_000, 70_000]), using: &random)
      let letter = UInt8.random(in: 97...122, using: &random)
      let data = Data(repeating: letter, count: count)
      let value: AttributeScalar =
        random.once(in: 5)
        ? .null : index == 8 ? .blob(data) : .text(String(decoding: data, as: UTF8.self))
      rows[number] = builder.set(index, value, of: rows[number], person)
      expected[number][index] = value
      if random.once(in: 9) { rows[number] = builder.copy(rows[number], person) }
    }
    for (row, values) in zip(rows, expected) {
      for (index, value) in values {
        #expect(row.scalar(index, index == 8 ? .blob : .text) == value)
      }
    }
  }
}
