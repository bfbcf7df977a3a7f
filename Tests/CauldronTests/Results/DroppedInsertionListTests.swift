import Cauldron
import TestSupport
import Testing

/// Where a row led that one context has created, another has led elsewhere, and the first one drops.
@Suite(.againstHanging) struct DroppedInsertionListTests {
  @Test func `a list sees what a dropped insertion has counted for`() throws {
    let bench = try Bench(.file)
    let root = bench.stack.rootSavingContext
    root.performAndWait { _ in
      let company = Company.create(in: root)
      company.name = "firm"
      for name in ["ann", "bob"] { Person.named(name, in: root).employer = company }
    }
    try root.saveAndWait(toPersistentStore: true)
    root.performAndWait { _ in _ = Person.named("cid", in: root) }
    let list = try bench.onMain { main in
      let all = try Where<Person>(format: "employer.employees.@count > 2")
      let list = FetchedResultsController(Person.where(all), in: main)
      try list.performFetchAndWait()
      return Lent(list)
    }
    func shown() throws -> Int {
      try list.value.settleAndWait()
      return bench.onMain { _ in list.value.snapshot.count }
    }
    try bench.onMain { main in
      let cid = try #require(try Person.findFirst(where: \.name == "cid", in: main))
      cid.employer = try Company.findFirst(in: main)
      main.processPendingChanges()
    }
    #expect(try shown() == 3)
    root.performAndWait { _ in root.rollback() }
    #expect(try shown() == 0)
  }
}
