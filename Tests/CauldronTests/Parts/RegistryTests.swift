import Cauldron
import CauldronModel
import CauldronStore
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// The objects that a context has.
@Suite(.againstHanging) struct RegistryTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private var registry: Registry { context.core.registry }

  init() throws {
    bench = try Bench()
    context = bench.child()
  }

  @Test func `the layout of the class that was asked for last is known`() throws {
    let registry = Registry(context.core.place)
    let layout = try #require(
      bench.stack.coordinator.managedObjectModel.layout(named: "Person"))
    #expect(registry.lastLayout(of: Person.self) == nil)
    registry.remember(layout, of: Person.self)
    #expect(registry.lastLayout(of: Person.self) === layout)
    #expect(registry.lastLayout(of: Company.self) == nil)
  }

  /// Few changes are looked up one by one; of many each object is looked up.
  @Test(arguments: [0, 20])
  func `the registered objects that a change touches are found, but for faults`(
    _ others: Int64
  ) throws {
    let people = ["inserted", "updated", "deleted", "fault", "untouched"].map {
      Person.named($0, in: context)
    }
    try context.save()
    context.refresh(people[3], mergeChanges: false)
    let factory = RowFactory(bench.stack.coordinator.managedObjectModel)
    let rows = people.map { factory.row("Person", $0.objectID.key) }
    let more = (0..<others).map { factory.row("Person", 9_000 + $0) }
    let changes = ChangeSet(
      from: factory, inserted: [rows[0]] + more,
      updated: [1, 3].map { factory.update(rows[$0].row, ["age": .integer(9)]) },
      deleted: [rows[2].row])
    let touched = registry.objects(touchedBy: changes.entities[0])
    #expect(touched.count == 3)
    let kinds = Dictionary(uniqueKeysWithValues: touched.map { ($0.object, $0.kind) })
    #expect(kinds == [people[0]: .insertion, people[1]: .update, people[2]: .deletion])
  }
}
