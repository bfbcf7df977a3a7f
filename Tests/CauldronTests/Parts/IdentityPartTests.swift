import Cauldron
import CauldronModel
import CauldronStore
import TestSupport
import Testing

@testable import CauldronGraph

/// What a context remembers of looking for objects.
@Suite(.againstHanging) struct IdentityPartTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private var identity: Identity { context.core.identity }

  init() throws {
    bench = try Bench()
    context = bench.child()
  }

  /// A company whose employees were walked.
  private func walkedCompany() throws -> Company {
    let company = Company.named("acme", in: context)
    Person.named("jack", age: 1, in: context).employer = company
    try context.save()
    #expect(company.employees.count == 1 && company.knowsEmployees)
    return company
  }

  @Test func `the layout of the class that was asked for last is known`() throws {
    let identity = Identity(context.core.place)
    let layout = try #require(
      bench.stack.coordinator.managedObjectModel.layout(named: "Person"))
    #expect(identity.lastLayout(of: Person.self) == nil)
    identity.remember(layout, of: Person.self)
    #expect(identity.lastLayout(of: Person.self) === layout)
    #expect(identity.lastLayout(of: Company.self) == nil)
  }

  @Test func `what was walked is forgotten all at once`() throws {
    let company = try walkedCompany()
    #expect(identity.hasWalks)
    identity.forgetAllWalks()
    #expect(!identity.hasWalks && !company.knowsEmployees)
  }

  @Test func `each write of others ends what was walked before it`() throws {
    let company = try walkedCompany()
    identity.forgetWalks(before: 1)
    #expect(!company.knowsEmployees)
    #expect(company.employees.count == 1)
    identity.forgetWalks(before: 1)
    #expect(company.knowsEmployees)
    identity.forgetWalks(before: 2)
    #expect(!company.knowsEmployees)
  }

  @Test func `a changed reference ends the walks that it belongs to, and no others`() throws {
    let company = try walkedCompany()
    let other = Company.named("other", in: context)
    let person = Person.named("jill", age: 2, in: context)
    person.employer = other
    try context.save()
    #expect(other.employees.count == 1 && other.knowsEmployees)
    let factory = RowFactory(bench.stack.coordinator.managedObjectModel)
    let row = factory.row("Person", 9_000, ["employer": .integer(other.objectID.key)])
    identity.forgetWalks(ChangeSet(from: factory, inserted: [row]).entities[0])
    #expect(company.knowsEmployees && !other.knowsEmployees)
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
    let touched = identity.objects(touchedBy: changes.entities[0])
    #expect(touched.count == 3)
    let kinds = Dictionary(uniqueKeysWithValues: touched.map { ($0.object, $0.kind) })
    #expect(kinds == [people[0]: .insertion, people[1]: .update, people[2]: .deletion])
  }
}

extension Company {
  fileprivate var knowsEmployees: Bool { !(extras?.toMany.isEmpty ?? true) }
}
