import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@Suite struct FluentTests {
  private func office(_ kind: StoreKind) throws -> (Bench, ManagedObjectContext) {
    let bench = try Bench(kind)
    let context = bench.child()
    let acme = Company.named("Acme", in: context)
    let other = Company.named("Other", in: context)
    for age in 1...6 {
      Person.named("p\(age % 3)", age: age, at: age < 4 ? acme : other, in: context)
    }
    Person.named("alone", age: 7, in: context).birthday = Date(
      timeIntervalSinceReferenceDate: 86_400)
    try context.saveAndWait(toPersistentStore: true)
    return (bench, bench.child("Reader"))
  }

  @Test(arguments: StoreKind.allCases)
  func `a query is a value that is narrowed and asked`(_ kind: StoreKind) throws {
    let (bench, context) = try office(kind)
    let adults = Person.where(\.age >= 3).sorted(by: \.name).sorted(by: { $0.age.descending })
    #expect(try adults.fetch(in: context).map(\.age) == [7, 6, 3, 4, 5])
    #expect(try adults.limit(2).offset(1).fetch(in: context).map(\.age) == [6, 3])
    #expect(try adults.limit(2).offset(4).count(in: context) == 1)
    #expect(try adults.where { $0.employer.name == "Acme" }.count(in: context) == 1)
    #expect(try adults.first(in: context)?.age == 7)
    #expect(try adults.exists(in: context))
    #expect(try !adults.where(\.age > 9).exists(in: context))
    #expect(try adults.fetchIDs(in: context) == adults.fetch(in: context).map(\.objectID))
    #expect(ObjectQuery(adults.request) == adults)
    let sent: any Sendable = adults
    #expect(sent is ObjectQuery<Person>)
    Person.named("new", age: 8, in: context)
    #expect(try adults.count(in: context) == 6)
    let committed = adults.includingPendingChanges(false)
    #expect(try committed.count(in: context) == 5)
    #expect(try committed.fetch(in: context).count == 5)
    withExtendedLifetime(bench) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `columns are typed, and distinct ones come once`(_ kind: StoreKind) throws {
    let (bench, context) = try office(kind)
    for isPending in [false, true] {
      if isPending { Person.named("p0", age: 3, in: context) }
      let lines = try Person.select(\.name, \.age).where(\.age < 3).fetch(in: context)
      #expect(lines.map(\.0) == ["p1", "p2"] && lines.map(\.1) == [1, 2])
      let names = try Person.select(\.name).distinct().fetch(in: context)
      #expect(names == ["alone", "p0", "p1", "p2"])
      let birthdays = try Person.select(\.birthday).where(\.age == 7).fetch(in: context)
      #expect(birthdays == [Date(timeIntervalSinceReferenceDate: 86_400)])
      let far = try Person.select { ($0.employer.name, $0.age * 2) }
        .sorted(by: \.age, ascending: false).limit(2).fetch(in: context)
      #expect(far.map(\.0) == [nil, "Other"] && far.map(\.1) == [14, 12])
    }
    withExtendedLifetime(bench) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `groups are gathered in one statement`(_ kind: StoreKind) throws {
    let (bench, context) = try office(kind)
    for isPending in [false, true] {
      if isPending {
        Person.named("alone", age: 7, in: context)
        try #require(try Person.findFirst(where: \.age == 6, in: context)).name = "p9"
      }
      let counts = try Person.grouped(by: \.name).count(in: context)
      #expect(counts.map(\.key) == ["alone", "p0", "p1", "p2"] + (isPending ? ["p9"] : []))
      #expect(counts.map(\.value) == (isPending ? [2, 1, 2, 2, 1] : [1, 2, 2, 2]))
      let ages = try Person.grouped(by: \.name).having { $0.count > 1 && $0.max(\.age) < 6 }
        .average(\.age, in: context)
      #expect(ages.map(\.key) == ["p1", "p2"] && ages.map(\.value) == [2.5, 3.5])
      let firms = try Person.grouped { $0.employer.name }.where(\.age > 1).values(in: context) {
        ($0.count, $0.min(\.age), $0.sum(\.age))
      }
      #expect(firms.map(\.key) == [nil, "Acme", "Other"])
      #expect(firms.map(\.values.1) == [7, 2, 4] && firms.last?.values.2 == 15)
      let top = try Person.grouped(by: \.name).sorted { $0.sum(\.age).descending }.limit(1)
        .sum(\.age, in: context)
      #expect(top.map(\.value) == [isPending ? 14 : 9])
      let all = try ObjectQuery<Person>().values(in: context) { ($0.count, $0.max(\.age)) }
      #expect(all.0 == (isPending ? 8 : 7) && all.1 == 7)
      #expect(try Person.where(\.age > 100).sum(\.age, in: context) == 0)
      #expect(try Person.where(\.age > 100).average(\.age, in: context) == nil)
      #expect(try ObjectQuery<Person>().min(by: \.birthday, in: context)?.age == 7)
      #expect(try ObjectQuery<Person>().max(by: \.name, in: context)?.age == (isPending ? 6 : 2))
    }
    withExtendedLifetime(bench) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `dictionaries have the attributes by name`(_ kind: StoreKind) throws {
    let (bench, context) = try office(kind)
    var request = Person.where(\.age == 1).request
    let all = try context.fetchDictionaries(request)
    #expect(all.count == 1 && all[0]["name"] == .text("p1") && all[0]["email"] == .null)
    #expect(Set(all[0].keys) == ["name", "age", "email", "birthday"])
    request.sortKeys = [SortKey("employer.name")]
    let some = try context.fetchDictionaries(request, names: ["employer.name"])
    #expect(some == [["employer.name": .text("Acme")]])
    #expect(
      cauldronError { _ = try context.fetchDictionaries(request, names: ["employer"]) }?.code
        == .queryUnsupported)
    withExtendedLifetime(bench) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `sort keys order objects and lines, after what orders them already`(
    _ kind: StoreKind
  ) throws {
    let (bench, context) = try office(kind)
    let chosen = [SortKey("employer.name"), SortKey("age", ascending: false)]
    let query = ObjectQuery<Person>().sorted(by: chosen)
    let ages = try query.fetch(in: context).map(\.age)
    #expect(ages.count > 2)
    let terms = try Person.findAll(
      sortedBy: \.employer.name, { _ in SortTerm(chosen[1]) }, in: context)
    #expect(terms.map(\.age) == ages)
    #expect(try Person.select(\.age).sorted(by: chosen).fetch(in: context) == ages)
    let lines = Person.select(\.age).sorted(by: \.employer.name, \.age.descending)
    #expect(try lines.fetch(in: context) == ages)
    let byAge = ObjectQuery<Person>().sorted(by: \.age).sorted(by: chosen)
    #expect(try byAge.fetch(in: context).map(\.age) == ages.sorted())
    withExtendedLifetime(bench) {}
  }

  @Test func `what has no meaning is refused`() throws {
    let (bench, context) = try office(.file)
    withExtendedLifetime(bench) {}
    var request = ValueRequest(FetchRequest<Person>())
    request.columns = [.property("name"), .property("age")]
    request.groups = [.property("name")]
    let error = cauldronError { _ = try context.fetchValues(request) }
    #expect(
      error?.description == "Person: the objects of a group may differ in age."
        + " Group by it, or gather it: count, sum, min, max or average.")
    #expect(cauldronError { _ = try Person.where(\.age > 1).limit(-1).fetch(in: context) } != nil)
    #expect(cauldronError { _ = try Person.select(\.age).offset(-1).fetch(in: context) } != nil)
    let order = cauldronError {
      _ = try Person.select(\.age).distinct().sorted(by: \.name).fetch(in: context)
    }
    #expect(order?.code == .queryUnsupported)
  }

  @Test @MainActor func `asynchronous forms read what the default context sees`() async throws {
    let stack = try Stack(storeURL: nil, model: Office.model())
    try await Stack.$current.withValue(stack, operation: checkDefault)
  }

  @MainActor private func checkDefault() async throws {
    Person.named("pending", age: 40, in: .default)
    let query = Person.where(\.age > 30)
    #expect(try await query.fetch().map(\.name) == ["pending"])
    #expect(try await query.count() == 1)
    #expect(try await query.exists())
    #expect(try await query.first()?.age == 40)
    #expect(try await query.select(\.age).fetch() == [40])
    #expect(try await query.includingPendingChanges(false).fetch().isEmpty)
  }
}
