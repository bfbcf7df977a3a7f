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

  /// A list of which one object has got another name.
  private func edited(
    _ query: ObjectQuery<Person>, by section: SectionKey<Person>, at index: Int, to name: String
  ) throws -> Lent<FetchedResultsController<Person>> {
    let list = try bench.onMain { main in
      let list = FetchedResultsController(query, in: main, sectionBy: section)
      try list.performFetchAndWait()
      list.object(at: index).name = name
      main.processPendingChanges()
      return Lent(list)
    }
    // The list's own queue may be about it.
    try list.value.settleAndWait()
    return list
  }

  @Test func `what is edited finds its place in sections that come downwards`() throws {
    let list = try edited(
      .init().sorted(by: \.name, ascending: false), by: .firstLetter(of: \.name), at: 0, to: "alf")
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

  /// The order of the bytes would have all capitals first, so that each name came twice.
  @Test func `names of a closure come once where the order leaves out case`() throws {
    let maker = bench.child()
    for name in ["Bea", "Äda", "Ari", "zoe"] { Person.named(name, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    let letter = SectionKey<Person>.custom(of: \.name) { name in
      String(name.prefix(1)).folding(
        options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
    let query = ObjectQuery<Person>()
    let up = try names(query.sorted(by: { $0.name.ascending(.ignoringCaseAndDiacritics) }), letter)
    #expect(up.sections == ["a", "b", "c", "z"])
    #expect(up.names == ["abe", "Äda", "ann", "Ari", "Bea", "bob", "cid", "zoe"])
    let down = try names(
      query.sorted(by: { $0.name.descending(.ignoringCaseAndDiacritics) }).limit(3), letter)
    #expect(down.sections == ["z", "c", "b"] && down.names == ["zoe", "cid", "bob"])
  }

  @Test func `sections by value lie without case where the list does, and stay apart`() throws {
    let maker = bench.child()
    for name in ["Bob", "bob", "Cid"] { Person.named(name, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    let told = try names(
      ObjectQuery<Person>().sorted(by: { $0.name.ascending(.ignoringCase) }), .value(of: \.name))
    #expect(told.sections == ["abe", "ann", "Bob", "bob", "Cid", "cid"])
    #expect(told.names == ["abe", "ann", "Bob", "bob", "bob", "Cid", "cid"])
  }

  @Test func `what is edited finds its section where the order leaves out case`() throws {
    let list = try edited(
      .init().sorted(by: { $0.name.ascending(.ignoringCase) }),
      by: .custom(of: \.name) { String($0.prefix(1)).lowercased() }, at: 3, to: "Apt")
    bench.onMain { _ in
      #expect(list.value.sections.map(\.name) == ["a", "b"])
      #expect(list.value.fetchedObjects?.map(\.name) == ["abe", "ann", "Apt", "bob"])
    }
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
