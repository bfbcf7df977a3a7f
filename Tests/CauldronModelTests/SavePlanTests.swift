import CauldronModel
import CauldronStore
import TestSupport
import Testing

@Suite("SavePlan")
struct SavePlanTests {
  private let factory: RowFactory

  init() throws { factory = RowFactory(try TestModels.people()) }

  @Test("Deletes first, updates next, inserts last, in the order of entity numbers")
  func order() {
    let rows = ["Person", "Company", "Passport"].flatMap { entity in
      [1, 2, 3].map { factory.row(entity, $0) }
    }
    let set = ChangeSet(
      from: factory,
      inserted: rows.filter { $0.row.key == 1 },
      updated: rows.filter { $0.row.key == 2 }.map { factory.update($0.row, [:]) },
      deleted: rows.map(\.row).filter { $0.key == 3 })
    #expect(
      steps(of: set).prefix(9) == [
        "delete Company [3]", "delete Passport [3]", "delete Person [3]",
        "update Company [2]", "update Passport [2]", "update Person [2]",
        "insert Company [1]", "insert Passport [1]", "insert Person [1]",
      ])
  }

  @Test("Requires the targets of new and changed references that the layer does not insert")
  func targets() {
    let base = factory.row("Person", 7, ["employer": .integer(90), "passport": .integer(91)])
    let set = ChangeSet(
      from: factory,
      inserted: [
        factory.row("Company", 1), factory.row("Person", 1, ["employer": .integer(1)]),
        factory.row("Person", 2, ["employer": .integer(30)]), factory.row("Person", 3),
        factory.row("Person", 4, ["employer": .integer(20)]),
        factory.row("Person", 5, ["employer": .integer(30)]),
      ], updated: [factory.update(base.row, ["employer": .integer(10)])])
    #expect(
      steps(of: set).filter { $0.hasPrefix("require") } == [
        "require Company [10, 20, 30] for Person.employer"
      ])
  }

  @Test("A target inserted as a subentity is not required again")
  func subentityTargets() {
    let set = ChangeSet(
      from: factory,
      inserted: [factory.row("Manager", 3), factory.row("Passport", 1, ["holder": .integer(3)])])
    #expect(steps(of: set) == ["insert Passport [1]", "insert Manager [3]"])
  }

  @Test("A reference that an update did not change is not looked at")
  func untouched() {
    let base = factory.row("Person", 7, ["employer": .integer(90)])
    let set = ChangeSet(
      from: factory, updated: [factory.update(base.row, ["age": .integer(1)])])
    #expect(steps(of: set) == ["update Person [7]"])
  }

  @Test("Requires that nothing refers to a deleted row by a to-one, for each that can")
  func referrers() {
    let company = factory.row("Company", 4)
    let manager = factory.row("Manager", 5)
    let set = ChangeSet(from: factory, deleted: [company.row, manager.row])
    #expect(
      steps(of: set) == [
        "delete Company [4]", "delete Manager [5]", "unreferenced [4] by Person.employer",
        "unreferenced [5] by Passport.holder",
      ])
  }

  @Test("Depends on what it changes, deletes and refers to, not on what it inserts")
  func dependencies() {
    let set = ChangeSet(
      from: factory, inserted: [factory.row("Passport", 1, ["holder": .integer(8)])],
      updated: [factory.update(factory.row("Company", 2).row, ["name": .text("x")])],
      deleted: [factory.row("Employee", 3).row])
    let layer = SavePlan([set], storeNumber: 4).layers[0]
    let ids = [("Company", 2), ("Employee", 3), ("Person", 8), ("Employee", 8), ("Manager", 8)]
    #expect(layer.dependencies == Set(ids.map { id($0.0, Int64($0.1)) }))
  }

  @Test("Keeps layers in arrival order and counts their rows")
  func layers() {
    let sets = [3, 1, 2].map { number in
      ChangeSet(number, from: factory, inserted: [factory.row("Person", Int64(number))])
    }
    let plan = SavePlan(sets, storeNumber: 1)
    #expect(plan.layers.map(\.changeSet.id) == [3, 1, 2])
    #expect(plan.rowCount == 3)
  }

  private func id(_ entity: String, _ key: Int64) -> ManagedObjectID {
    ManagedObjectID(
      key: key, entityNumber: factory.model.entity(entity).number, storeNumber: 4)
  }

  private func steps(of set: ChangeSet) -> [String] {
    SavePlan([set], storeNumber: 1).layers.flatMap(\.steps).map { step in
      switch step {
      case .delete(let entity, let rows): "delete \(entity.name) \(rows.map(\.key))"
      case .update(let entity, let rows): "update \(entity.name) \(rows.map(\.row.key))"
      case .insert(let entity, let rows): "insert \(entity.name) \(rows.map(\.key))"
      case .requireTargets(let entity, let keys, let from, let property):
        "require \(entity.name) \(keys) for \(from.name).\(property.name)"
      case .requireUnreferenced(let entity, let property, let keys):
        "unreferenced \(keys) by \(entity.name).\(property.name)"
      case .unlink(let join, let property, let keys, let onlyMissing):
        "unlink \(keys) from \(join.name).\(property.name)\(onlyMissing ? " where missing" : "")"
      }
    }
  }
}
