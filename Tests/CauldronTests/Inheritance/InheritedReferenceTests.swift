import Cauldron
import CauldronModel
import TestSupport
import Testing

/// References of one entity to itself, in rows of a subentity, which keep other things in other places.
@Suite struct InheritedReferenceTests {
  private func model(_ rule: RelationshipDescription.DeleteRule) throws -> ManagedObjectModel {
    let above = RelationshipDescription(
      name: "above", destination: "Node", inverse: "below", isToMany: false)
    let below = RelationshipDescription(
      name: "below", destination: "Node", inverse: "above", isToMany: true, deleteRule: rule)
    let more = (1...3).map { number in
      PropertyDescription.attribute(AttributeDescription(name: "more\(number)", type: .integer64))
    }
    return try ManagedObjectModel(entities: [
      EntityDescription(name: "Node", properties: [.relationship(above), .relationship(below)]),
      EntityDescription(name: "Leaf", superentity: "Node", properties: more),
    ])
  }

  @Test(arguments: ["Node", "Leaf"], [false, true])
  func `what refers in the same event to what goes is found`(
    _ entity: String, isPublished: Bool
  ) throws {
    for rule in [RelationshipDescription.DeleteRule.nullify, .cascade] {
      let bench = try Bench(.file, model: model(rule))
      let context = bench.child()
      try context.performAndWait { context in
        let parent = try context.insertNewObject(forEntityName: "Leaf")
        let other = try context.insertNewObject(forEntityName: "Node")
        if isPublished { context.processPendingChanges() }
        let child = try context.insertNewObject(forEntityName: entity)
        try child.setValue(parent, forKey: "above")
        try parent.setValue(other, forKey: "above")
        context.delete(parent)
        context.processPendingChanges()
        #expect(child.isDeleted == (rule == .cascade))
        #expect(rule == .cascade || child.value(forKey: "above") == nil)
      }
      try context.saveAndWait(toPersistentStore: true)
      let count = try bench.committed().count(for: FetchRequest<ManagedObject>(entityName: "Node"))
      #expect(count == (rule == .cascade ? 1 : 2))
    }
  }
}
