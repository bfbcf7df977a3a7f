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

  @Test(
    "Every expression is kept",
    arguments: [
      "none.@count", "owner.name", "parts.@sum.size", "now()", "canonical:(name)",
      "a:(b.c, d:(e), f)",
    ])
  func kept(_ expression: String) throws {
    var entities = Self.entities(60)
    for number in entities.indices {
      let attribute = AttributeDescription(
        name: "d", type: .string, derivation: expression)
      entities[number].properties = [.attribute(attribute)]
    }
    let copy = try StoredModel(cache: StoredModel(entities: entities).cache())
    #expect(copy.open.isEmpty)
    for entity in copy.entities {
      guard case .attribute(let attribute)? = entity.properties.first else { continue }
      #expect(attribute.derivation == expression)
    }
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
