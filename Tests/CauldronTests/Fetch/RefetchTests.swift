import Cauldron
import TestSupport
import Testing

@Suite struct RefetchTests {
  @Test(arguments: StoreKind.allCases)
  func `a fetch refreshes what it finds again only where that was asked for`(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    let context = bench.child()
    for age in 1...3 { Person.named("p\(age)", age: age, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child("Other")
    let people = try Person.findAll(sortedBy: \.age, in: other)
    people[2].email = "mine"
    try ObjectQuery<Person>().batchUpdate(in: context) { $0.name.set("new") }
    let query = ObjectQuery<Person>().sorted(by: \.age)
    #expect(try query.fetch(in: other).map(\.name) == ["p1", "p2", "p3"])
    let again = try query.refreshingRefetchedObjects(true).fetch(in: other)
    #expect(again.map(\.name) == ["new", "new", "p3"])
    #expect(again[0] === people[0] && people[2].email == "mine")
    #expect(ObjectQuery(query.request) == query)
  }
}
