import CauldronModel
import CauldronStore
import TestSupport
import Testing

@Suite("Uniqueness in hierarchies")
struct UniqueIndexTests {
  private let factory: RowFactory
  private let store: MemoryStore

  /// Doc { code }, below it Letter { stamp }, unique by code, and Note { color }, unique by color;
  /// stamp and color have the same index.
  init() throws {
    let doc = EntityDescription(
      name: "Doc", properties: [TestModels.attribute("code", .integer64)])
    let letter = EntityDescription(
      name: "Letter", superentity: "Doc", properties: [TestModels.attribute("stamp", .string)],
      uniquenessConstraints: [["code"]])
    let note = EntityDescription(
      name: "Note", superentity: "Doc", properties: [TestModels.attribute("color", .string)],
      uniquenessConstraints: [["color"]])
    let model = try ManagedObjectModel(entities: [doc, letter, note])
    factory = RowFactory(model)
    store = MemoryStore(model: model, storeNumber: 1)
  }

  @Test("A constraint on an inherited attribute holds for all who share its column")
  func inherited() throws {
    #expect(try code(of: "Doc", 1, ["code": .integer(5)]) == nil)
    #expect(try code(of: "Note", 2, ["code": .integer(5)]) == .saveConstraint)
    #expect(try code(of: "Letter", 3, ["code": .integer(5)]) == .saveConstraint)
    #expect(try code(of: "Letter", 3, ["code": .integer(6)]) == nil)
  }

  @Test("A constraint on an own attribute does not touch a sibling's attribute of the same index")
  func sibling() throws {
    #expect(try code(of: "Letter", 1, ["stamp": .text("red")]) == nil)
    #expect(try code(of: "Note", 2, ["color": .text("red")]) == nil)
    #expect(try code(of: "Letter", 3, ["stamp": .text("red")]) == nil)
    #expect(try code(of: "Note", 4, ["color": .text("red")]) == .saveConstraint)
  }

  private func code(
    of entity: String, _ key: Int64, _ values: [String: AttributeScalar]
  ) throws -> CauldronError.Code? {
    let row = factory.row(entity, key, values)
    let set = ChangeSet(UInt64(key), from: factory, inserted: [row])
    let receipt = try store.save(SavePlan([set], storeNumber: 1), willCommit: {})
    return receipt.failures[0]?.code
  }
}
