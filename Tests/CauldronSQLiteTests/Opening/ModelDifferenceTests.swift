import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("What differs between a model and the one that wrote a store")
struct ModelDifferenceTests {
  private typealias Change = (inout [EntityDescription]) -> Void

  private static func base() -> [EntityDescription] {
    [
      EntityDescription(
        name: "Animal",
        properties: [
          .attribute(AttributeDescription(name: "age", type: .integer32)),
          .attribute(AttributeDescription(name: "name", type: .string, isOptional: false)),
          TestModels.toOne("owner", "Person", inverse: "pets"),
        ], uniquenessConstraints: [["name"]]),
      EntityDescription(
        name: "Dog", superentity: "Animal", properties: [TestModels.attribute("tricks", .string)]),
      EntityDescription(
        name: "Person",
        properties: [
          TestModels.attribute("name", .string),
          TestModels.toMany("pets", "Animal", inverse: "owner"),
        ]),
    ]
  }

  /// What is said about a store of the base model that is opened with another one.
  private func differences(_ change: (inout [EntityDescription]) -> Void) throws -> String {
    let directory = try TemporaryDirectory()
    let url = directory.file("x.sqlite")
    let old = try ManagedObjectModel(entities: Self.base())
    try SQLiteStore.open(url: url, model: old, storeNumber: 1).close()
    var entities = Self.base()
    change(&entities)
    let new = try ManagedObjectModel(entities: entities, name: "New")
    let error = try failure { _ = try SQLiteStore.open(url: url, model: new, storeNumber: 1) }
    #expect(error.code == .storeIncompatibleModel)
    let start = try #require(error.message.range(of: "entities that differ: "))
    return String(error.message[start.upperBound...])
  }

  private func set(
    _ entity: inout EntityDescription, _ index: Int, _ property: AttributeDescription
  ) {
    entity.properties[index] = .attribute(property)
  }

  @Test(
    "A model of many attributes is refused in proportion to them",
    .enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time"))
  func manyAttributes() throws {
    let directory = try TemporaryDirectory()
    func model(_ count: Int, _ modifier: String) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: [
        EntityDescription(
          name: "Wide",
          properties: (0..<count).map { number in
            .attribute(
              AttributeDescription(
                name: "a\(number)", type: .string,
                versionHashModifier: number == 0 ? modifier : nil))
          })
      ])
    }
    let growth = try Growth.ofFourfold(250) { count in
      let url = directory.file("\(count).sqlite")
      if !FileManager.default.fileExists(atPath: url.path) {
        try SQLiteStore.open(url: url, model: model(count, "old"), storeNumber: 1).close()
      }
      let new = try model(count, "new")
      return {
        let error = try failure { _ = try SQLiteStore.open(url: url, model: new, storeNumber: 1) }
        #expect(error.code == .storeIncompatibleModel)
      }
    }
    #expect(growth < Growth.limit)
  }

  @Test("A type is named on both sides, whether the column shows it or not")
  func types() throws {
    #expect(
      try differences { set(&$0[0], 0, AttributeDescription(name: "age", type: .string)) }
        == "Animal (age: String in the model, INTEGER in the store).")
    #expect(
      try differences { set(&$0[0], 0, AttributeDescription(name: "age", type: .integer64)) }
        == "Animal (age: Integer 64 in the model, Integer 32 in the store).")
  }

  @Test("What must not be nil on one side is named")
  func optionality() throws {
    #expect(
      try differences {
        set(&$0[0], 0, AttributeDescription(name: "age", type: .integer32, isOptional: false))
      } == "Animal (age: required in the model, optional in the store).")
    #expect(
      try differences { set(&$0[0], 1, AttributeDescription(name: "name", type: .string)) }
        == "Animal (name: optional in the model, required in the store).")
  }

  @Test("A property that only one side has is named, where it is declared")
  func missing() throws {
    #expect(
      try differences { $0[1].properties.append(TestModels.attribute("breed", .string)) }
        == "Dog (breed: String in the model, not in the store).")
    #expect(
      try differences { $0[2].properties.remove(at: 0) }
        == "Person (column ZNAME: not in the model, VARCHAR in the store).")
    #expect(
      try differences {
        $0[0].properties.append(TestModels.attribute("color", .string))
        $0[0].properties.append(TestModels.attribute("weight", .double))
      }
        == "Animal (color: String in the model, not in the store;"
        + " weight: Double in the model, not in the store).")
  }

  @Test("Entities, constraints and flags are named")
  func others() throws {
    #expect(
      try differences { $0.append(EntityDescription(name: "Thing", properties: [])) }
        == "Thing (only in the model).")
    #expect(try differences { $0.remove(at: 1) } == "Dog (only in the store).")
    #expect(
      try differences { $0[2].uniquenessConstraints = [["name"]] }
        == "Person (uniqueness constraints: only in the model).")
    let abstract = try differences { $0[0].isAbstract = true }
    #expect(abstract == "Animal (entity: abstract in the model, not in the store).")
  }

  @Test("What is not found is at least said to be something else than columns")
  func several() throws {
    #expect(
      try differences {
        set(&$0[0], 0, AttributeDescription(name: "age", type: .integer64))
        set(&$0[0], 1, AttributeDescription(name: "name", type: .string))
      } == "Animal (its columns are the same, other things are not).")
  }
}
