import CauldronModel
import CauldronStore
import TestSupport
import Testing

@Suite("EntityChanges")
struct EntityChangesTests {
  private let factory: RowFactory

  init() throws { factory = RowFactory(try TestModels.people()) }

  @Test(
    "Finds what happens to a row, in whatever order rows were inserted",
    arguments: [[1, 3, 5, 9], [9, 3, 5, 1], [3, 1], []])
  func lookup(keys: [Int64]) {
    let inserted = keys.map { factory.row("Person", $0).row }
    let update = factory.update(factory.row("Person", 20).row, ["age": .integer(1)])
    let deleted = RowDeletion(base: factory.row("Person", 30, version: 6).row)
    let changes = EntityChanges(
      entity: factory.model.entity("Person"), inserted: inserted, updated: [update],
      deleted: [deleted])
    #expect(changes.count == keys.count + 2)
    for (key, row) in zip(keys, inserted) {
      guard case .inserted(row) = changes.change(key) else {
        Issue.record("\(key) is not found")
        continue
      }
    }
    #expect(changes.change(20)?.row == update.row)
    #expect(changes.change(20)?.version == 2)
    #expect(changes.change(30)?.row == nil)
    #expect(changes.change(30)?.version == 6)
    for key in [0, 2, 4, 10, 21] as [Int64] { #expect(changes.change(key).map(\.version) == nil) }
  }

  @Test("A change set finds a change by object and counts by kind")
  func changeSet() {
    let rows = [factory.row("Manager", 5), factory.row("Company", 1), factory.row("Person", 6)]
    let update = factory.update(factory.row("Person", 7).row, ["age": .integer(1)])
    let set = ChangeSet(
      9, from: factory, inserted: rows, updated: [update],
      deleted: [factory.row("Company", 2).row, factory.row("Company", 3).row])
    #expect(set.entities.map(\.entity.name) == ["Company", "Person", "Manager"])
    #expect([set.insertedCount, set.updatedCount, set.deletedCount, set.count] == [3, 1, 2, 6])
    let manager = factory.model.entity("Manager").number
    let person = factory.model.entity("Person").number
    let id = ManagedObjectID(key: 5, entityNumber: manager, storeNumber: 1)
    #expect(set.change(id)?.row == rows[0].row)
    let other = ManagedObjectID(key: 5, entityNumber: person, storeNumber: 1)
    #expect(set.change(other)?.version == nil)
    #expect(set.changes(to: factory.model.entity("Passport").number) === nil)
  }
}
