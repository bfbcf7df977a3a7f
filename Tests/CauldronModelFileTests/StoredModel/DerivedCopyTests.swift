import CauldronModel
import TestSupport
import Testing

@testable import CauldronModelFile

/// Copies of models whose derived attributes cannot be told.
@Suite(
  "Copies with many derived attributes", .ownThread,
  .enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time"))
struct DerivedCopyTests {
  private static func entities(_ count: Int) -> [EntityDescription] {
    (0..<count).map { number in
      EntityDescription(
        name: "E\(number)", superentity: number % 50 == 0 ? nil : "E\(number - 1)",
        properties: [
          .attribute(
            AttributeDescription(
              name: "c\(number)", type: .integer64, isOptional: true, derivation: "none.@count"))
        ])
    }
  }

  @Test("Those that cannot be are left out, and all below them are open")
  func open() throws {
    let copy = try StoredModel(cache: StoredModel(entities: Self.entities(60)).cache())
    #expect(copy.entities.count == 60 && copy.entities.allSatisfy(\.properties.isEmpty))
    #expect(copy.open == Set(copy.entities.map(\.name)))
    var mixed = Self.entities(60)
    for number in 0..<30 { mixed[number].properties = [] }
    let some = try StoredModel(cache: StoredModel(entities: mixed).cache())
    #expect(some.open == Set((30..<60).map { "E\($0)" }))
  }

  @Test("Many are read in proportion")
  func proportion() throws {
    let growth = try Growth.ofFourfold(200) { count in
      let bytes = StoredModel(entities: Self.entities(count)).cache()
      return { _ = try StoredModel(cache: bytes) }
    }
    #expect(growth < Growth.limit)
  }
}
