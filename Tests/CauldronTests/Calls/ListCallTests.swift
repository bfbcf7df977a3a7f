import Cauldron
import CauldronMagicalRecord
import TestSupport
import Testing

/// MagicalRecord's calls for lists.
@Suite(.againstHanging, .ownThread) struct ListCallTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    let maker = bench.child()
    for (name, age) in [("ann", 10), ("bob", 20), ("cid", 30)] {
      Person.named(name, age: age, in: maker)
    }
    try maker.saveAndWait(toPersistentStore: true)
  }

  /// MR_fetchAllWithDelegate:inContext: and MR_fetchAllSortedBy:ascending:withPredicate:groupBy:delegate:inContext:
  @Test func `a list is fetched, sorted and grouped in one call`() throws {
    let diary = ListDiary()
    let list = try bench.onMain { main in
      try Person.fetchAll(
        where: \.age >= 20, sortedBy: \.age, ascending: false, groupedBy: .firstLetter(of: \.name),
        delegate: diary, in: main)
    }
    #expect(list.sections.map(\.name) == ["B", "C"])
    #expect(list.delegate === diary)
    let all = try bench.onMain { try Person.fetchAll(delegate: diary, in: $0) }
    #expect(all.snapshot.count == 3)
  }

  /// MR_fetchController:delegate:useFileCache:groupedBy:inContext: and MR_performFetch:
  @Test func `a controller is made, and fetches later`() async throws {
    let list = FetchedResultsController(
      Person.fetchRequest(sortedBy: \.name), in: bench.mainContext)
    #expect(list.snapshot.isEmpty)
    #expect(list.fetchedObjects == nil)
    try await list.performFetch()
    #expect(list.snapshot.count == 3)
  }
}
