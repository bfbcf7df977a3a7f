import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// Four levels, two abstract entities: what fetches find with and without subentities.
@Suite(.againstHanging) struct AbstractEntityTests {
  private static let kinds = ["Bill", "Dunning", "LastDunning", "Letter", "Card"]

  @Test(arguments: StoreKind.allCases)
  func `an abstract class finds the objects of all levels below it, saved or not`(
    _ kind: StoreKind
  ) throws {
    var bench = try Archive.bench(kind)
    let context = bench.child()
    Archive.fill(context)
    try check(context)
    try context.save()
    try check(bench.child("Other"))
    try context.saveAndWait(toPersistentStore: true)
    try check(context)
    try check(bench.committed())
    guard kind == .file else { return }
    bench = try bench.reopened()
    try check(bench.child())
  }

  private func check(_ context: ManagedObjectContext) throws {
    let all = try Paper.findAll(sortedBy: \.title, in: context)
    #expect(all.map { "\(type(of: $0))" } == Self.kinds && all.map(\.entity.name) == Self.kinds)
    #expect(all.map(\.objectID.entityName) == Self.kinds && all.map(\.title).joined() == "abcde")
    let last = try #require(all[2] as? LastDunning)
    #expect(last.number == 3 && last.level == 3 && last.court == "Hamburg" && last.code == "c")
    #expect(try Mailing.findAll(sortedBy: \.title, in: context).map(\.title) == ["d", "e"])
    #expect(try Bill.findAll(sortedBy: \.title, in: context).map(\.number) == [1, 2, 3])
    #expect(try Dunning.findAll(sortedBy: \.level, in: context).map(\.level) == [2, 3])
    #expect(try LastDunning.findAll(in: context).map(\.title) == ["c"])
    let counts = try [
      Paper.count(in: context), Bill.count(in: context), Dunning.count(in: context),
      LastDunning.count(in: context), Mailing.count(in: context), Card.count(in: context),
    ]
    #expect(counts == [5, 3, 2, 1, 2, 1])
    #expect(try Paper.count(where: \.code >= "c", in: context) == 3)
    #expect(try Bill.count(where: \.code >= "c", in: context) == 1)
    // The same ID is found as each of its own classes, and as no other.
    let id = last.objectID
    #expect(try Paper.find(id, in: context) === last && Dunning.find(id, in: context) === last)
    #expect(try Mailing.find(id, in: context) == nil && Card.find(id, in: context) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `without subentities there are objects of the very entity only`(_ kind: StoreKind) throws {
    let bench = try Archive.bench(kind)
    let context = bench.child()
    Archive.fill(context)
    try checkAlone(context, titles: "a", "b")
    try context.saveAndWait(toPersistentStore: true)
    try checkAlone(bench.committed(), titles: "a", "b")
    // With changes on top of what is stored.
    let other = bench.child("Other")
    try #require(try Paper.titled("a", in: other)).title = "x"
    try #require(try Paper.titled("b", in: other)).delete()
    let (bill, dunning) = (Bill.create(in: other), LastDunning.create(in: other))
    (bill.title, dunning.title) = ("y", "z")
    try checkAlone(other, titles: "xy", "")
    try other.saveAndWait(toPersistentStore: true)
    try checkAlone(bench.committed(), titles: "xy", "")
  }

  private func checkAlone(
    _ context: ManagedObjectContext, titles: String, _ dunnings: String
  ) throws {
    try checkAlone(Paper.self, context, "")
    try checkAlone(Mailing.self, context, "")
    try checkAlone(Bill.self, context, titles)
    try checkAlone(Dunning.self, context, dunnings)
  }

  private func checkAlone<Object: Paper>(
    _ type: Object.Type, _ context: ManagedObjectContext, _ titles: String
  ) throws {
    var request = FetchRequest<Object>()
    request.includesSubentities = false
    request.sortKeys = [SortKey("title")]
    let found = try context.fetch(request)
    #expect(found.map(\.title).joined() == titles)
    #expect(found.allSatisfy { Swift.type(of: $0) == type })
    #expect(try context.fetchObjectIDs(request) == found.map(\.objectID))
    #expect(try context.count(for: request) == titles.count)
  }

  @Test func `an object of an abstract entity cannot be created`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try Archive.bench()
      _ = Mailing.create(in: bench.child())
    }
    #expect(result.sentence.contains("\"Mailing\" is abstract"))
  }

  @Test func `nor by asking for a value that there is not, or is`() throws {
    let context = try Archive.bench().child()
    for _ in 0..<2 {
      let error = cauldronError { _ = try Paper.findOrCreate(\.code, "a", in: context) }
      #expect(error?.code == .queryUnsupported && error?.entity == "Paper")
      #expect(
        error?.description == "Cannot find or create Paper: it is abstract."
          + " Ask for a class that has objects of its own.")
      Archive.fill(context)
    }
  }
}
