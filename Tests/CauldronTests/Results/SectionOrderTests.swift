import Cauldron
import Foundation
import TestSupport
import Testing

/// Sections in the direction of the order, and of values that are nil.
@Suite(.againstHanging, .ownThread) struct SectionOrderTests {
  private let bench: Bench

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    for (name, age) in [("ann", 10), ("abe", 11), ("bob", 20), ("cid", 30)] {
      Person.named(name, age: age, in: maker)
    }
    try maker.saveAndWait(toPersistentStore: true)
  }

  private func names(
    _ query: ObjectQuery<Person>, _ section: SectionKey<Person>
  ) throws -> (sections: [String], names: [String]) {
    try bench.onMain { main in
      let list = FetchedResultsController(query, in: main, sectionBy: section)
      try list.performFetchAndWait()
      return (list.sections.map(\.name), list.fetchedObjects?.map(\.name) ?? [])
    }
  }

  @Test func `letters come downwards where the names do`() throws {
    let query = ObjectQuery<Person>().sorted(by: \.name, ascending: false)
    let whole = try names(query, .firstLetter(of: \.name))
    #expect(whole.sections == ["C", "B", "A"])
    #expect(whole.names == ["cid", "bob", "ann", "abe"])
    let first = try names(query.limit(2), .firstLetter(of: \.name))
    #expect(first.names == ["cid", "bob"])
  }

  @Test func `what is edited finds its place in sections that come downwards`() throws {
    let list = try bench.onMain { main in
      let list = FetchedResultsController(
        ObjectQuery<Person>().sorted(by: \.name, ascending: false), in: main,
        sectionBy: .firstLetter(of: \.name))
      try list.performFetchAndWait()
      list.object(at: 0).name = "alf"
      main.processPendingChanges()
      return Lent(list)
    }
    // The list's own queue may be about it.
    try list.value.settleAndWait()
    bench.onMain { _ in
      #expect(list.value.sections.map(\.name) == ["B", "A"])
      #expect(list.value.fetchedObjects?.map(\.name) == ["bob", "ann", "alf", "abe"])
    }
  }

  @Test func `letters are those of the language that the names are ordered by`() throws {
    let maker = bench.child()
    for name in ["åsa", "zoe", "Änne", "A\u{30A}ke", "8"] { Person.named(name, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    let query = ObjectQuery<Person>()
    let swedish = try names(
      query.sorted { $0.name.ascending(.localizedStandard(locale: "sv")) }, .firstLetter(of: \.name)
    )
    #expect(swedish.sections == ["8", "A", "B", "C", "Z", "Å", "Ä"])
    #expect(
      swedish.names == ["8", "abe", "ann", "bob", "cid", "zoe", "A\u{30A}ke", "åsa", "Änne"])
    let german = try names(
      query.sorted { $0.name.descending(.localizedStandard(locale: "de")) },
      .firstLetter(of: \.name))
    #expect(german.sections == ["Z", "C", "B", "A", "8"])
    #expect(
      german.names == ["zoe", "cid", "bob", "åsa", "Änne", "ann", "A\u{30A}ke", "abe", "8"])
  }

  @Test func `a closure is called for nil, too`() throws {
    let told = try names(
      ObjectQuery<Person>().sorted(by: \.name),
      .custom(of: \.email) { $0 ?? "none" })
    #expect(told.sections == ["none"])
  }

  @Test func `a list of another class than its request's is refused`() throws {
    bench.onMain { main in
      let list = FetchedResultsController(FetchRequest<Person>(entityName: "Company"), in: main)
      #expect(throws: CauldronError.self) { try list.performFetchAndWait() }
    }
  }
}
