import Cauldron
import Testing

@Suite struct ConditionTests {
  private func people(_ bench: Bench, saved: Bool) throws -> ManagedObjectContext {
    let context = bench.child()
    let acme = Company.named("acme", in: context)
    for (index, name) in ["ann", "bob", "bea", "cid", "dan"].enumerated() {
      let person = Person.named(name, age: index * 10, in: context)
      if index % 2 == 0 { person.employer = acme }
      if index > 2 { person.email = "\(name)@x" }
    }
    if saved { try context.saveAndWait(toPersistentStore: true) }
    return saved ? bench.child("Reader") : context
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `conditions select what they say`(_ kind: StoreKind, _ isSaved: Bool) throws {
    let bench = try Bench(kind)
    let context = try people(bench, saved: isSaved)
    func names(_ condition: Where<Person>) throws -> [String] {
      let found = try Person.findAll(where: condition, sortedBy: \.name, in: context)
      #expect(try Person.count(where: condition, in: context) == found.count)
      return found.map(\.name)
    }
    #expect(try names(\.age >= 20) == ["bea", "cid", "dan"])
    #expect(try names(\.age > 20 && \.age < 40) == ["cid"])
    #expect(try names(\.name == "bob" || \.age == 0) == ["ann", "bob"])
    #expect(try names(\.name != "bob") == ["ann", "bea", "cid", "dan"])
    #expect(try names(.isIn(\.name, ["bob", "dan", "zoe"])) == ["bob", "dan"])
    #expect(try names(.beginsWith(\.name, "b")) == ["bea", "bob"])
    #expect(try names(.contains(\.name, "n")) == ["ann", "dan"])
    #expect(try names(.endsWith(\.name, "d")) == ["cid"])
    #expect(try names(.contains(\.email, "@")) == ["cid", "dan"])
    #expect(try names(!.beginsWith(\.name, "b")) == ["ann", "cid", "dan"])
    #expect(try names(\.email == nil) == ["ann", "bea", "bob"])
    #expect(try names(\.email != nil) == ["cid", "dan"])
    #expect(try names(\.age <= 0) == ["ann"])
    let acme = try #require(try Company.findFirst(in: context))
    #expect(try names(\.employer == acme) == ["ann", "bea", "dan"])
    #expect(try names(\.employer != acme) == ["bob", "cid"])
    #expect(try names(\.employer == nil) == ["bob", "cid"])
    #expect(try names(.isIn(\.employer, [acme])) == ["ann", "bea", "dan"])
    let bob = try #require(try Person.findFirst(where: \.name == "bob", in: context))
    #expect(try names(.isIn([bob.objectID])) == ["bob"])
    #expect(try names(.isIn(\.name, [])) == [])
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `order and window are kept`(_ kind: StoreKind, _ isSaved: Bool) throws {
    let bench = try Bench(kind)
    let context = try people(bench, saved: isSaved)
    #expect(
      try Person.findAll(sortedBy: \.age, ascending: false, limit: 2, in: context).map(\.name)
        == ["dan", "cid"])
    #expect(
      try Person.findAll(sortedBy: \.name, limit: 2, offset: 1, in: context).map(\.name)
        == ["bea", "bob"])
    #expect(
      try Person.findAll(sortedBy: \.email.descending, \.name, in: context)
        .map(\.name) == ["dan", "cid", "ann", "bea", "bob"])
    #expect(try Person.findAll(sortedBy: \.name, offset: 4, in: context).map(\.name) == ["dan"])
    #expect(try Person.findAll(sortedBy: \.name, offset: 9, in: context).isEmpty)
    #expect(try Person.findAll(limit: 0, in: context).isEmpty)
    #expect(try Person.findFirst(sortedBy: \.name, ascending: false, in: context)?.name == "dan")
  }

  @Test func `an unknown key is refused with a suggestion`() throws {
    let bench = try Bench()
    let context = try people(bench, saved: false)
    var request = FetchRequest<Person>()
    request.predicate = .isNil(key: "emial")
    let error = cauldronError { _ = try context.fetch(request) }
    #expect(error?.code == .queryUnknownKey)
    #expect(error?.description.contains("\"email\"") == true)
  }
}
