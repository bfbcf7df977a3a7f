import Cauldron
import CauldronModel
import CauldronStore
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Which to-many relationships a context has walked.
@Suite(.againstHanging) struct WalkedListsTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private var walks: WalkedLists { context.core.walks }

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

  @Test func `what was walked is forgotten all at once`() throws {
    let company = try walkedCompany()
    #expect(walks.hasWalks)
    walks.forgetAllWalks()
    #expect(!walks.hasWalks && !company.knowsEmployees)
  }

  @Test func `each write of others ends what was walked before it`() throws {
    let company = try walkedCompany()
    walks.forgetWalks(before: 1)
    #expect(!company.knowsEmployees)
    #expect(company.employees.count == 1)
    walks.forgetWalks(before: 1)
    #expect(company.knowsEmployees)
    walks.forgetWalks(before: 2)
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
    walks.forgetWalks(ChangeSet(from: factory, inserted: [row]).entities[0])
    #expect(company.knowsEmployees && !other.knowsEmployees)
  }
}

extension Company {
  fileprivate var knowsEmployees: Bool { !(extras?.toMany.isEmpty ?? true) }
}
