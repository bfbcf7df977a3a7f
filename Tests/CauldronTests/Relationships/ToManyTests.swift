import Cauldron
import Testing

@Suite struct ToManyTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let acme: Company
  private let people: [Person]

  init() throws {
    bench = try Bench()
    context = bench.child()
    let context = context
    acme = Company.named("acme", in: context)
    people = ["a", "b", "c"].map { Person.named($0, in: context) }
  }

  @Test(arguments: [false, true], [false, true])
  func `insertion and removal set the inverse`(_ isSaved: Bool, _ isWalked: Bool) throws {
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    if isWalked { #expect(acme.employees.isEmpty) }
    acme.employees.insert(people[0])
    acme.employees.insert(people[1])
    acme.employees.insert(people[1])
    #expect(people[0].employer === acme && people[2].employer == nil)
    #expect(acme.employees.contains(people[1]) && !acme.employees.contains(people[2]))
    #expect(Set(acme.employees) == [people[0], people[1]] && acme.employees.count == 2)
    acme.employees.remove(people[0])
    acme.employees.remove(people[2])
    #expect(people[0].employer == nil)
    #expect(acme.employees.objects == [people[1]] && Array(acme.employees) == [people[1]])
    #expect(!acme.employees.isEmpty)
  }

  @Test func `a literal makes the relationship lead to exactly these`() throws {
    acme.employees = [people[0], people[1]]
    acme.employees = [people[1], people[2]]
    #expect(people.map { $0.employer != nil } == [false, true, true])
    acme.employees = []
    #expect(people.allSatisfy { $0.employer == nil } && acme.employees.isEmpty)
    acme.employees = ToMany(people)
    #expect(Set(acme.employees) == Set(people))
  }

  @Test func `an object that moves leaves its old owner`() throws {
    let other = Company.named("other", in: context)
    acme.employees = ToMany(people)
    try context.save()
    #expect(acme.employees.count == 3)
    other.employees.insert(people[0])
    #expect(acme.employees.count == 2 && other.employees.objects == [people[0]])
    other.employees = acme.employees
    #expect(Set(other.employees) == [people[1], people[2]] && acme.employees.isEmpty)
    #expect(people[0].employer == nil)
  }

  @Test func `removal during a walk is safe`() throws {
    acme.employees = ToMany(people)
    for person in acme.employees { acme.employees.remove(person) }
    #expect(acme.employees.isEmpty)
  }

  @Test func `a literal that is not assigned is a plain list`() {
    let list: ToMany<Person> = [people[0], people[2]]
    #expect(list.count == 2 && list.contains(people[2]) && !list.contains(people[1]))
    #expect(people[0].employer == nil)
  }

  @Test func `an unwalked to-many is walked after edits, the store's members included`() throws {
    acme.employees = [people[0], people[1]]
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child("Other")
    let copy = try #require(try Company.find(acme.objectID, in: other))
    let moved = try #require(try Person.find(people[2].objectID, in: other))
    copy.employees.insert(moved)
    try Person.find(people[0].objectID, in: other)?.employer = nil
    #expect(Set(copy.employees.map(\.name)) == ["b", "c"])
  }

  @Test func `a child sees its parent's members, saved and unsaved`() throws {
    acme.employees = [people[0]]
    try context.saveAndWait(toPersistentStore: true)
    acme.employees.insert(people[1])
    context.processPendingChanges()
    let child = bench.child("Grandchild", of: context)
    #expect(try Company.find(acme.objectID, in: child)?.employees.count == 2)
  }

  @Test func `a child's hire shows in the parent's walked relationship`() throws {
    acme.employees = [people[0]]
    try context.saveAndWait(toPersistentStore: true)
    #expect(acme.employees.count == 1)
    let child = bench.child("Grandchild", of: context)
    try Person.find(people[1].objectID, in: child)?.employer = Company.find(
      acme.objectID, in: child)
    try child.save()
    context.processPendingChanges()
    #expect(Set(acme.employees.map(\.name)) == ["a", "b"])
    #expect(people[1].employer === acme)
  }
}
