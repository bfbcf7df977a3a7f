import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// MagicalRecord's finders by their old names, each over saved and unsaved objects.
@Suite(.againstHanging) struct FindCallTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    context = bench.child()
    let company = Company.named("Acme", in: context)
    for (name, age) in [("ada", 36), ("bob", 20), ("cyd", 36)] {
      let person = Person.named(name, age: age, at: name == "bob" ? nil : company, in: context)
      person.email = "\(name)@x"
    }
    try context.saveAndWait(toPersistentStore: true)
    Person.named("dan", age: 36, at: company, in: context)
  }

  private func names(_ people: [Person]) -> [String] { people.map(\.name) }

  @Test func `MR_findFirstByAttribute:withValue: finds saved and unsaved objects, and none`() throws
  {
    #expect(try Person.findFirst(\.name, "bob", in: context)?.age == 20)
    #expect(try Person.findFirst(\.name, "dan", in: context)?.age == 36)
    #expect(try Person.findFirst(\.name, "nobody", in: context) == nil)
    #expect(try Person.findFirst(\.email, "ada@x", in: context)?.name == "ada")
    #expect(try Person.findFirst(\.email, nil, in: context)?.name == "dan")
  }

  @Test func `MR_findByAttribute:withValue: finds all that have the value, or are linked`() throws {
    let company = try #require(try Company.findFirst(in: context))
    #expect(try Set(names(Person.findAll(\.age, 36, in: context))) == ["ada", "cyd", "dan"])
    #expect(try Set(names(Person.findAll(where: \.employer == company, in: context))).count == 3)
    #expect(try names(Person.findAll(where: \.employer == nil, in: context)) == ["bob"])
    #expect(try Person.findFirst(where: \.employer == company, in: context)?.employer == company)
  }

  @Test func `MR_findByAttribute:withValue:andOrderBy:ascending: sorts what it finds`() throws {
    #expect(
      try names(Person.findAll(\.age, 36, sortedBy: \.name, in: context)) == ["ada", "cyd", "dan"])
    let falling = try Person.findAll(
      \.age, 36, sortedBy: \.name, ascending: false, in: context)
    #expect(names(falling) == ["dan", "cyd", "ada"])
  }

  @Test func `finding takes cases of an enumeration`() throws {
    let bench = try Bench(model: ManagedObjectModel(Everything.self))
    let context = bench.child()
    let object = Everything.create(in: context)
    object.mood = .bad
    #expect(try Everything.findFirst(where: \.mood == .bad, in: context) == object)
    #expect(try Everything.findAll(where: \.mood == .fine, in: context) == [])
    #expect(try Everything.findAll(where: \.mood == .bad, in: context) == [object])
  }

  @Test func `a key path that is no property is refused when it is fetched`() throws {
    let error = cauldronError { _ = try Person.findFirst(\.name.count, 3, in: context) }
    #expect(error?.code == .queryUnknownKey || error?.code == .queryUnsupported)
  }

  @Test func `sort terms: the last direction does not carry over`() throws {
    let terms = try SortKey.terms("key1:YES,key2:NO,key3", ascending: true)
    #expect(terms.map(\.key) == ["key1", "key2", "key3"])
    #expect(terms.map(\.ascending) == [true, false, true])
    #expect(try SortKey.terms(" \n").isEmpty)
  }

  @Test(arguments: ["a,", ",a", "a,,b", "a:", "a:up", "a:YES:NO", ":NO"])
  func `sort terms that are none are refused in one line`(_ text: String) throws {
    let error = cauldronError { _ = try SortKey.terms(text) }
    #expect(error?.code == .queryUnsupported)
    #expect(error?.message.hasPrefix("Cannot sort by \"\(text)\": ") == true)
  }

  @Test func `MR_ascendingSortDescriptors: and MR_descendingSortDescriptors: make lists`() throws {
    #expect(
      try names(Person.findAll(sortedBy: \.age, \.name, in: context))
        == ["bob", "ada", "cyd", "dan"])
    #expect(
      try names(Person.findAll(sortedBy: \.age, \.name, ascending: false, in: context))
        == ["dan", "cyd", "ada", "bob"])
  }

  @Test func `MR_hasAtLeastOneEntity stops at the first, and asks for a condition`() throws {
    #expect(try Person.hasAny(in: context))
    #expect(try Person.hasAny(where: \.name == "dan", in: context))
    #expect(try !Person.hasAny(where: \.name == "dan", in: bench.committed()))
    #expect(try !Passport.hasAny(in: context))
  }

  @Test func `MR_requestAllSortedBy:ascending:withPredicate: gives a request to be changed`() throws
  {
    var request = Person.fetchRequest(where: \.age == 36, sortedBy: \.name, ascending: false)
    #expect(try names(context.fetch(request)) == ["dan", "cyd", "ada"])
    request.limit = 2
    request.offset = 1
    #expect(try names(context.fetch(request)) == ["cyd", "ada"])
    #expect(try context.count(for: Person.fetchRequest()) == 4)
    let terms = Person.fetchRequest(sortedBy: \.age, \.name, limit: 2)
    #expect(try names(context.fetch(terms)) == ["bob", "ada"])
  }

  @Test func `MR_findAllWithPredicate: and its like take format strings`() throws {
    let found = try Person.findAll(
      matching: "age >= %@ AND employer.name ==[c] %@", 18, "ACME", sortedBy: \.name.descending,
      in: context)
    #expect(names(found) == ["dan", "cyd", "ada"])
    var request = Person.fetchRequest()
    request.predicate = try PredicateNode(format: "name LIKE %@", "?o?")
    #expect(try names(context.fetch(request)) == ["bob"])
  }

  @Test func `MR_executeFetchRequestAndReturnFirstObject: leaves the request as it is`() throws {
    let request = Person.fetchRequest(sortedBy: \.name, limit: 3, offset: 1)
    #expect(try context.fetchFirst(request)?.name == "bob")
    #expect(request.limit == 3)
    #expect(try context.fetchFirst(Passport.fetchRequest()) == nil)
  }
}

/// The short forms, which use the default context of the task's stack.
@Suite(.againstHanging) @MainActor struct DefaultContextCallTests {
  @Test func `calls without a context use the default one`() throws {
    let stack = try Stack.inMemory(model: Office.model())
    try Stack.$current.withValue(stack) { () throws in
      let company = Company.create()
      company.name = "Acme"
      for name in ["ada", "bob"] {
        let person = Person.create()
        person.name = name
        person.employer = name == "ada" ? company : nil
      }
      #expect(try Person.findFirst(\.name, "bob")?.employer == nil)
      #expect(try Person.findFirst(where: \.employer == company)?.name == "ada")
      #expect(try Person.findAll(\.age, 0, sortedBy: \.name).map(\.name) == ["ada", "bob"])
      #expect(try Person.findAll(where: \.employer == nil).map(\.name) == ["bob"])
      #expect(try Person.findAll(sortedBy: \.name.descending).map(\.name) == ["bob", "ada"])
      #expect(try Person.findFirst(sortedBy: \.name.descending)?.name == "bob")
      #expect(try Person.hasAny(where: \.name == "ada"))
      #expect(try ObjectQuery<Person>().randomSample(5, in: .default).count == 2)
      #expect(try Person.deleteAll(where: \.name == "ada") == 1)
      #expect(try Person.deleteAll(where: nil) == 1)
      #expect(try !Person.hasAny())
    }
  }
}
