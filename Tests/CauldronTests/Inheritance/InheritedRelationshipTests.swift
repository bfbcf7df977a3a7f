import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Relationships to abstract entities, and those that subentities have of their own.
@Suite(.againstHanging) struct InheritedRelationshipTests {
  @Test(arguments: StoreKind.allCases)
  func `a relationship to an abstract entity leads to objects of the right classes`(
    _ kind: StoreKind
  ) throws {
    var bench = try Archive.bench(kind)
    let context = bench.child()
    let papers = Archive.fill(context)
    let binder = Binder.create(in: context)
    for paper in papers {
      binder.papers.insert(paper)
      let slip = Slip.create(in: context)
      (slip.text, slip.paper) = (paper.title, paper)
    }
    try check(context)
    try context.saveAndWait(toPersistentStore: true)
    try check(bench.committed())
    guard kind == .file else { return }
    bench = try bench.reopened()
    try check(bench.child())
    // Another program may leave out the number of the entity beside a reference, or write one that
    // is not that of a paper.
    let file = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    let column = try #require(Self.entityColumn(file))
    for number in ["NULL", "1", "99"] {
      #expect(file.run("UPDATE ZSLIP SET \(column) = \(number)"))
      bench = try bench.reopened()
      try check(bench.child())
    }
  }

  /// The column that has the number of the entity that a slip's paper is of.
  private static func entityColumn(_ file: OtherConnection) -> String? {
    (1...20).map { "Z\($0)_PAPER" }.first {
      file.integers("SELECT count(*) FROM pragma_table_info('ZSLIP') WHERE name = '\($0)'") == [1]
    }
  }

  private func check(_ context: ManagedObjectContext) throws {
    let kinds = ["Bill", "Dunning", "LastDunning", "Letter", "Card"]
    let slips = try Slip.findAll(sortedBy: \.text, in: context)
    for (slip, kind) in zip(slips, kinds) {
      let paper = try #require(slip.paper)
      #expect(paper.title == slip.text && paper.slips.objects == [slip])
      #expect("\(type(of: paper))" == kind)
    }
    #expect((slips[3].paper as? Letter)?.number == "L-4")
    let binder = try #require(try Binder.findFirst(in: context))
    let papers = binder.papers.sorted { $0.title < $1.title }
    #expect(papers.map { "\(type(of: $0))" } == kinds && papers.allSatisfy { $0.binder === binder })
  }

  @Test(arguments: StoreKind.allCases)
  func `relationships of a subentity are inherited, saved and walked from both sides`(
    _ kind: StoreKind
  ) throws {
    let bench = try Archive.bench(kind)
    let context = bench.child()
    let papers = Archive.fill(context)
    let (last, letter) = try (
      #require(papers[2] as? LastDunning), #require(papers[3] as? Letter)
    )
    for name in "xyz" {
      let item = BillItem.create(in: context)
      (item.name, item.bill) = ("\(name)", last)
      letter.items.insert(item, at: 0)
    }
    let clerk = Clerk.create(in: context)
    clerk.dunnings = [last, try #require(papers[1] as? Dunning)]
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.child("Reader")
    let found = try #require(try Paper.titled("c", in: reader) as? LastDunning)
    #expect(found.items.map(\.name).sorted() == ["x", "y", "z"] && found.clerks.count == 1)
    #expect(found.items.allSatisfy { $0.bill === found })
    let same = try #require(try Paper.titled("d", in: reader) as? Letter)
    #expect(same.items.map(\.name) == ["z", "y", "x"])
    #expect(
      try Clerk.findFirst(in: reader)?.dunnings.map { "\(type(of: $0)) \($0.title)" }.sorted()
        == ["Dunning b", "LastDunning c"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a deletion follows the rules of the object's own entity, whatever it was found as`(
    _ kind: StoreKind
  ) throws {
    let bench = try Archive.bench(kind)
    let context = bench.child()
    let papers = Archive.fill(context)
    let binder = Binder.create(in: context)
    for paper in papers { binder.papers.insert(paper) }
    for (index, bill) in papers.prefix(3).compactMap({ $0 as? Bill }).enumerated() {
      for number in 0...index {
        let item = BillItem.create(in: context)
        (item.name, item.bill) = ("\(bill.title)\(number)", bill)
        (papers[3] as? Letter)?.items.append(item)
      }
    }
    Clerk.create(in: context).dunnings = [try #require(papers[2] as? LastDunning)]
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child("Other")
    try #require(try Paper.titled("b", in: other)).delete()
    try #require(try Paper.titled("d", in: other)).delete()
    try other.saveAndWait(toPersistentStore: true)
    #expect(try Paper.titles(in: bench.committed()) == "ace")
    let items = try BillItem.findAll(sortedBy: \.name, in: bench.committed())
    #expect(items.map(\.name) == ["a0", "c0", "c1", "c2"])
    // The binder cascades to all papers, of which one is denied.
    let third = bench.child("Third")
    try #require(try Binder.findFirst(in: third)).delete()
    let error = cauldronError { try third.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationDenied && error?.entity == "LastDunning")
    #expect(error?.property == "clerks")
    for clerk in try Clerk.findAll(in: third) { clerk.dunnings = [] }
    try third.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(
      try Paper.count(in: reader) + BillItem.count(in: reader) + Binder.count(in: reader) == 0)
    #expect(try Clerk.count(in: reader) == 1)
  }
}
