import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite("Rows of many properties")
struct WideRowTests {
  private static let types: [AttributeType] = [.integer64, .double, .string, .binary]

  private func layout(_ count: Int) throws -> EntityLayout {
    let properties = (0..<count).map {
      TestModels.attribute("p\($0)", Self.types[$0 % Self.types.count])
    }
    let wide = EntityDescription(name: "Wide", properties: properties)
    return try ManagedObjectModel(entities: [wide]).entity("Wide")
  }

  @Test(
    "Null bits beyond the 32nd lie in words before the row",
    arguments: [(32, 0), (33, 1), (96, 1), (97, 2), (200, 3)])
  func leadingWords(count: Int, words: Int) throws {
    let layout = try layout(count)
    #expect(layout.leadingWords == words)
    var builder = RowBuilder()
    let row = builder.begin(layout, key: 1)
    #expect((0..<count).allSatisfy { row.isNull($0) })
    for index in 0..<count {
      row.setSlot(index, Int64(index))
      #expect((0..<count).allSatisfy { row.isNull($0) == ($0 > index) })
    }
    for index in 0..<count {
      row.setNull(index)
      #expect((0..<count).allSatisfy { row.isNull($0) == ($0 <= index) })
    }
    #expect(row.key == 1)
    #expect(row.size == (RowPointer.header + count) * 8)
  }

  @Test("Any sequence of changes leaves the values that a dictionary has", arguments: [3, 40, 130])
  func random(count: Int) throws {
    let layout = try layout(count)
    var generator = SeededGenerator(seed: UInt64(count))
    var builder = RowBuilder()
    var row = builder.begin(layout, key: 1)
    var expected: [Int: AttributeScalar] = [:]
    for step in 0..<2_000 {
      let index = Int.random(in: 0..<count, using: &generator)
      let value = value(index, &generator)
      row = builder.set(index, value, of: row, layout)
      expected[index] = value
      if generator.once(in: 20) { builder.close() }
      if generator.once(in: 50) { row = builder.copy(row, layout) }
      if step % 100 == 99 {
        for index in 0..<count {
          let storage = try #require(layout.properties[index].storageClass)
          #expect(row.scalar(index, storage) == expected[index] ?? .null)
        }
      }
    }
  }

  private func value(_ index: Int, _ generator: inout SeededGenerator) -> AttributeScalar {
    if generator.once(in: 4) { return .null }
    let count = Int.random(in: 0...(generator.once(in: 100) ? 90_000 : 40), using: &generator)
    return switch Self.types[index % Self.types.count] {
    case .integer64: .integer(Int64.random(in: .min ... .max, using: &generator))
    case .double: .real(Double.random(in: -1...1, using: &generator))
    case .string: .text(String(repeating: "ä", count: count))
    default: .blob(Data(repeating: UInt8(count & 0xFF), count: count))
    }
  }
}
