import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import TestSupport
import Testing

/// What a query reads beside unsaved changes is in proportion to those that matter to it.
@Suite(.againstHanging) struct QueryProportionTests {
  private let file: CountedFile
  private let context: ManagedObjectContext
  private let acme: Company
  private static let count = 2_000

  init() throws {
    file = try CountedFile(Office.model())
    context = file.context("Root")
    acme = Company.named("Acme", in: context)
    for age in 0..<Self.count { Person.named("\(age % 10)", age: age, at: acme, in: context) }
    try context.saveAndWait(toPersistentStore: true)
  }

  private var atAcme: ObjectQuery<Person> { Person.where { $0.employer.name == "Acme" } }

  @Test func `an edit of another attribute touches none of those that lead to the object`() throws {
    acme.rating = 1
    let counting = try file.store.tally { try atAcme.count(in: context) }
    #expect(counting.answer == Self.count)
    #expect(counting.asked.rows == 0 && counting.asked.calls == 1)
    let three = atAcme.sorted(by: \.age).limit(3)
    let fetching = try file.store.tally { try three.fetch(in: context).map(\.age) }
    #expect(fetching.answer == [0, 1, 2])
    #expect(fetching.asked.rows == 3 && fetching.asked.calls == 1)
    acme.name = "Other"
    #expect(try atAcme.count(in: context) == 0)
    acme.name = "Acme"
    #expect(try atAcme.count(in: context) == Self.count)
  }

  @Test func `a row of the entity is shown with its edits where they decide nothing`() throws {
    let first = try #require(try Person.where(\.age == 0).first(in: context))
    let child = ManagedObjectContext(.private, parent: context, name: "Child")
    first.email = "a@b.c"
    context.processPendingChanges()
    let query = atAcme.sorted(by: \.age).limit(1)
    let emails = try child.performAndWait { try query.fetch(in: $0).map(\.email) }
    #expect(emails == ["a@b.c"])
    let counting = try file.store.tally { try atAcme.count(in: context) }
    #expect(counting.answer == Self.count && counting.asked.rows == 0)
  }

  @Test func `unsaved insertions do not have the store read more`() throws {
    for age in 0..<500 { Person.named("new", age: -age, at: acme, in: context) }
    let last = atAcme.sorted(by: { $0.age.descending }).limit(5)
    let fetching = try file.store.tally { try last.fetch(in: context).map(\.age) }
    #expect(fetching.answer == [1_999, 1_998, 1_997, 1_996, 1_995])
    #expect(fetching.asked.rows <= 5 + 1)
    #expect(try atAcme.count(in: context) == Self.count + 500)
  }

  @Test func `existence is a question for one row`() throws {
    let plain = try file.store.tally { try Person.where(\.age >= 0).exists(in: context) }
    #expect(plain.answer && plain.asked.counted == [1] && plain.asked.rows == 0)
    let last = try #require(try Person.where(\.age == Self.count - 1).first(in: context))
    last.age = -1
    let pending = try file.store.tally { try Person.where(\.age >= 0).exists(in: context) }
    #expect(pending.answer && pending.asked.counted == [2] && pending.asked.rows <= 1)
    let far = try file.store.tally { try atAcme.exists(in: context) }
    #expect(far.answer && far.asked.counted == [1] && far.asked.rows == 0)
    acme.name = "Other"
    #expect(try !atAcme.exists(in: context))
  }

  @Test func `a count is the store's, but for what is touched`() throws {
    let other = Company.named("Other", in: context)
    for person in try Person.where(\.age < 10).fetch(in: context) { person.employer = other }
    let counting = try file.store.tally { try atAcme.count(in: context) }
    #expect(counting.answer == Self.count - 10)
    #expect(counting.asked.rows <= 12 && counting.asked.counted == [nil])
    #expect(try atAcme.limit(7).offset(Self.count - 15).count(in: context) == 5)
    #expect(try atAcme.limit(7).offset(3).count(in: context) == 7)
    #expect(try Person.where { $0.employer.name == "Other" }.count(in: context) == 10)
  }

  @Test func `columns in a window read the rows of the window alone`() throws {
    let people = try Person.where(\.age < 3).sorted(by: \.age).fetch(in: context)
    let lines = Person.select { ($0.age, $0.employer.name) }.sorted(by: \.age).limit(20)
    people[0].email = "a@b.c"
    let other = try file.store.tally { try lines.fetch(in: context).map(\.0) }
    #expect(other.answer == Array(0..<20))
    #expect(other.asked.rows == 0 && other.asked.lines == 20)
    people[1].age = -7
    people[2].age = 1_000_000
    let own = try file.store.tally { try lines.fetch(in: context).map(\.0) }
    #expect(own.answer == [-7, 0] + Array(3..<21))
    // The window, what may be hidden of it, what is composed, and the one company.
    #expect(own.asked.rows <= 20 + 3 + 3 + 1)
    let some = Person.select(\.age).limit(4).offset(1)
    let unsorted = try file.store.tally { try some.fetch(in: context) }
    #expect(unsorted.answer == [-7, 1_000_000, 3, 4])
    #expect(unsorted.asked.rows <= 5 + 3 + 3)
    Person.named("new", age: 5, in: context)
    let all = try Person.select(\.age).offset(Self.count - 1).fetch(in: context)
    #expect(all == [Self.count - 1, 5])
  }

  @Test func `unsaved edits do not have the store read more than the limit`() throws {
    func edit(_ people: ObjectQuery<Person>) throws {
      for person in try people.fetch(in: context) { person.email = "e\(person.age)" }
    }
    try edit(Person.where(\.age >= 500))
    let some = Person.where(\.age >= 0).limit(5)
    let plain = try file.store.tally { try some.fetch(in: context).map(\.age) }
    #expect(plain.answer == [0, 1, 2, 3, 4] && plain.asked.rows < 100)
    // Where more than a few of the first are edited, too, the store is asked once more.
    try edit(Person.where(\.age < 400))
    #expect(try some.fetch(in: context).map(\.age) == [400, 401, 402, 403, 404])
    try edit(Person.where(\.age < 500))
    #expect(try Set(some.offset(3).fetch(in: context).map(\.age)).count == 5)
  }

  @Test func `an order has all unsaved edits looked at, and no other rows`() throws {
    for person in try Person.where(\.age >= 1_000).fetch(in: context) { person.age -= 3_000 }
    let first = Person.where(\.age >= -10_000).sorted(by: \.age).limit(5)
    let sorted = try file.store.tally { try first.fetch(in: context).map(\.age) }
    #expect(sorted.answer == [-2_000, -1_999, -1_998, -1_997, -1_996])
    #expect(sorted.asked.rows < 1_000 + 100)
  }
}
