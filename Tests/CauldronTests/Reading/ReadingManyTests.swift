import Cauldron
import Logging
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What is read together, counted in statements.
@Suite(.againstHanging) struct ReadingManyTests {
  private let bench: Bench
  private let log = LogCapture(.trace)
  private let count = 2_000

  init() throws {
    let log = log
    bench = try Bench(.file) { $0.logger = log.logger }
    let context = bench.child()
    for number in 0..<count {
      let company = Company.named("c\(number)", in: context)
      Person.named("p\(number)", age: number * 7 % count, at: company, in: context)
      if number % 2 == 0 { Person.named("q\(number)", age: -1, at: company, in: context) }
    }
    try context.saveAndWait(toPersistentStore: true)
  }

  /// The statements that read rows while a closure runs in a context of the store that has seen nothing.
  private func statements(
    _ isNested: Bool = false, _ body: (ManagedObjectContext) throws -> Void
  ) throws -> Int {
    bench.stack.coordinator.cache.removeAll()
    let context = isNested ? bench.child(of: bench.child("Middle")) : bench.child()
    return try context.performAndWait { _ in
      let before = selects
      try body(context)
      return selects - before
    }
  }

  /// Those of tables that objects lie in: a connection looks at what it meets, too.
  private var selects: Int {
    log.lines.count { $0.message.hasPrefix("SELECT") && !$0.message.contains("Z_METADATA") }
  }

  @Test(arguments: [false, true])
  func `to-one faults of a fetch fire together`(isNested: Bool) throws {
    let made = try statements(isNested) { context in
      let people = try Person.findAll(where: \.age >= 0, sortedBy: \.age, in: context)
      #expect(people.count == count)
      #expect(Set(people.compactMap { $0.employer?.name }).count == count)
    }
    #expect(made == 1 + count / 500)
  }

  @Test func `they do in any order, and one alone reads what stands beside it`() throws {
    var generator = SystemRandomNumberGenerator()
    let made = try statements { context in
      let people = try Person.findAll(where: \.age >= 0, in: context).shuffled(using: &generator)
      for person in people { #expect(person.employer?.name == "c" + person.name.dropFirst()) }
    }
    #expect(made <= 1 + count / 500 + 1)
    let few = try statements { context in
      let people = try Person.findAll(where: \.age >= 0, in: context)
      #expect(people[17].employer?.name == "c17" && people[18].employer?.name == "c18")
    }
    #expect(few == 2)
  }

  @Test func `to-many relationships of a fetch are read together`() throws {
    let made = try statements { context in
      let companies = try Company.findAll(sortedBy: \.name, in: context)
      #expect(companies.reduce(0) { $0 + $1.employees.count } == 3 * count / 2)
      #expect(
        companies.allSatisfy { company in company.employees.allSatisfy { $0.employer === company } }
      )
    }
    #expect(made == 1 + count / 500)
  }

  @Test func `owners that lead to many are read few at a time`() throws {
    let context = bench.child()
    let big = (0..<3).map { _ in
      let company = Company.named("big", in: context)
      for number in 0..<4_000 { Person.named("b\(number)", age: -2, at: company, in: context) }
      return company
    }
    #expect(big.count == 3)
    try context.saveAndWait(toPersistentStore: true)
    let made = try statements { context in
      let companies = try Company.findAll(where: \.name == "big", in: context)
      #expect(companies.map { $0.employees.count } == [4_000, 4_000, 4_000])
    }
    // One in vain, and then each alone.
    #expect(made == 5)
  }

  @Test func `owners that lead to too many together are read fewer at a time`() throws {
    let context = bench.child()
    for _ in 0..<150 {
      let company = Company.named("wide", in: context)
      for number in 0..<60 { Person.named("w\(number)", age: -3, at: company, in: context) }
    }
    try context.saveAndWait(toPersistentStore: true)
    let made = try statements { context in
      let companies = try Company.findAll(where: \.name == "wide", in: context)
      #expect(companies.allSatisfy { $0.employees.count == 60 })
    }
    // One in vain, one alone, and then an eighth at a time.
    #expect(made <= 3 + 150 / 18 + 1, "\(made)")
  }

  @Test func `after owners that lead to too many others are read many at a time again`() throws {
    let context = bench.child()
    for _ in 0..<150 {
      let company = Company.named("wide", in: context)
      for number in 0..<60 { Person.named("w\(number)", age: -3, at: company, in: context) }
    }
    try context.saveAndWait(toPersistentStore: true)
    var made = 0
    _ = try statements { context in
      let wide = try Company.findAll(where: \.name == "wide", in: context)
      #expect(wide.allSatisfy { $0.employees.count == 60 })
      let others = try Company.findAll(where: .beginsWith(\.name, "c"), in: context)
      made = selects
      #expect(others.reduce(0) { $0 + $1.employees.count } == 3 * count / 2)
      made = selects - made
    }
    // Twice as many each time: 36, 72, 144, 288, and then 500.
    #expect(made <= 4 + count / 500, "\(made)")
  }

  @Test func `a vain read of few owners limits later reads for a while, and not for good`() {
    var groups = FaultGroups()
    groups.noteTooMany(2, rows: [:], of: 1, at: 0)
    #expect(
      groups.ownerCount(of: 1, at: 0) == 8 && groups.ownerCount(of: 1, at: 1) == FaultGroups.size)
    groups.noteRead(8, rows: FaultGroups.mostRows / 2, of: 1, at: 0)
    groups.noteRead(7, rows: 0, of: 1, at: 0)
    #expect(groups.ownerCount(of: 1, at: 0) == 8)
    for count in [8, 16, 32, 64, 128, 256] {
      #expect(groups.ownerCount(of: 1, at: 0) == count)
      groups.noteRead(count, rows: count, of: 1, at: 0)
    }
    #expect(groups.ownerCount(of: 1, at: 0) == FaultGroups.size)
  }

  @Test func `thousands of owners of very many leave the number of the others as it is`() {
    var groups = FaultGroups()
    for first in stride(from: Int64(0), to: 10_000, by: 10) {
      let rows = (first..<first + 10).map { ($0, FaultGroups.mostRows / 10) }
      groups.noteTooMany(500, rows: Dictionary(uniqueKeysWithValues: rows), of: 1, at: 0)
    }
    #expect(groups.ownerCount(of: 1, at: 0) == FaultGroups.size)
    #expect(groups.hubs(of: 1, at: 0).contains(9_999) && groups.hubs(of: 1, at: 0).count < 5_000)
  }

  @Test func `one owner of very many does not slow the others down`() throws {
    let context = bench.child()
    let big = try #require(try Company.findFirst(\.name, "c700", in: context))
    for number in 0..<9_000 { Person.named("b\(number)", age: -2, at: big, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    let made = try statements { context in
      let companies = try Company.findAll(in: context)
      #expect(companies.reduce(0) { $0 + $1.employees.count } == 3 * count / 2 + 9_000)
    }
    #expect(made < 30, "\(made)")
  }

  @Test func `two relationships of each object are read together, also by turns`() throws {
    let context = bench.child()
    for person in try Person.findAll(where: \.age >= 0, in: context) {
      Passport.create(in: context).holder = person
    }
    try context.saveAndWait(toPersistentStore: true)
    let made = try statements { context in
      for person in try Person.findAll(where: \.age >= 0, sortedBy: \.age, in: context) {
        let (employer, passport) = (person.employer, person.passport)
        #expect(employer?.name.isEmpty == false && passport?.number == 0)
      }
    }
    #expect(made <= 1 + 2 * (count / 500), "\(made)")
  }

  @Test func `a prefetch goes beyond objects that come as faults`() throws {
    let made = try statements { context in
      let people = try Person.where(\.age >= 1_600).returningObjectsAsFaults()
        .prefetching(["employer"]).fetch(in: context)
      let before = selects
      #expect(people.allSatisfy { $0.employer?.isFault == false } && selects == before)
    }
    #expect(made <= 3, "\(made)")
  }

  @Test func `counts of many owners stay few statements where one is gone`() throws {
    let made = try statements { context in
      let companies = try Company.findAll(sortedBy: \.name, in: context)
      let other = bench.committed()
      try #require(try Company.findFirst(\.name, "c1000", in: other)).delete()
      try other.save()
      let before = selects
      let counts = try Company.counts(of: \.employees, for: companies, in: context)
      #expect(counts.count == count - 1 && selects - before < 30)
    }
    #expect(made < 40, "\(made)")
  }

  @Test func `a prefetch reads each step once, however deep`() throws {
    let made = try statements { context in
      let people = try Person.where(\.age < 400).prefetching(["employer.employees", "passport"])
        .fetch(in: context)
      let before = selects
      #expect(people.count == 400 + count / 2)
      for person in people {
        #expect(person.employer?.employees.contains { $0 === person } == true)
        #expect(
          person.passport == nil && person.employer?.employees.allSatisfy { !$0.isFault } == true)
      }
      #expect(selects == before)
    }
    let companies = count / 2 + 200
    #expect(made <= 1 + 2 * (companies / 500 + 1))
  }

  @Test func `objects that come as faults are read together`() throws {
    let made = try statements { context in
      let people = try Person.where(\.age >= 0).sorted(by: \.age).returningObjectsAsFaults()
        .fetch(in: context)
      #expect(people.allSatisfy { $0.isFault } && people.count == count)
      #expect(people.map(\.age) == Array(0..<count))
    }
    #expect(made == 1 + count / 500)
  }

  @Test(arguments: [false, true])
  func `counts of many owners take one statement`(hasChanges: Bool) throws {
    let made = try statements { context in
      let companies = try Company.findAll(sortedBy: \.name, in: context)
      if hasChanges { Person.named("new", at: companies[0], in: context) }
      let counts = try Company.counts(of: \.employees, for: companies, in: context)
      #expect(counts.count == count)
      for (place, company) in companies.enumerated() {
        let isEven = Int(company.name.dropFirst()).map { $0 % 2 == 0 } == true
        let more = hasChanges && place == 0 ? 1 : 0
        #expect(counts[company.objectID] == (isEven ? 2 : 1) + more)
      }
    }
    #expect(hasChanges || made == 2)
  }

  @Test func `edits of the event, of a parent and of others are seen`() throws {
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    try parent.performAndWait { _ in
      let company = try #require(try Company.findFirst(where: \.name == "c5", in: parent))
      company.name = "renamed"
      Person.named("guest", at: company, in: parent)
    }
    try child.performAndWait { _ in
      let people = try Person.findAll(where: \.age >= 0, in: child)
      people[7].employer = people[8].employer
      #expect(people[5].employer?.name == "renamed" && people[7].employer?.name == "c8")
      let companies = try Company.findAll(in: child)
      #expect(companies.first { $0.name == "renamed" }?.employees.count == 2)
      #expect(companies.first { $0.name == "c8" }?.employees.count == 3)
      #expect(companies.first { $0.name == "c7" }?.employees.count == 0)
    }
  }

  @Test func `paths that lead over no relationship are refused by name`() throws {
    let context = bench.child()
    func refusal(_ path: String) -> String {
      do {
        _ = try Person.where(\.age > 0).prefetching([path]).fetch(in: context)
        return "nothing"
      } catch { return "\(error)" }
    }
    #expect(refusal("employr").contains("Person has no property \"employr\""))
    #expect(refusal("employr").contains("employer"))
    #expect(refusal("employer.name").contains("\"name\" is no relationship"))
    #expect(refusal("employer.boss").contains("Company has no property \"boss\""))
    #expect(refusal("").contains("no relationship"))
  }

  @Test func `batches prefetch, too`() throws {
    let made = try statements { context in
      var request = Person.where(\.age >= 0).sorted(by: \.age).prefetching(\.employer).request
      request.fetchBatchSize = 500
      let people = try context.fetchBatches(request)
      #expect(people.reduce(0) { $0 + ($1.employer?.name.count ?? 0) } > 0)
    }
    #expect(made == 1 + 2 * count / 500)
  }

  @Test(arguments: [false, true])
  func `what is gone is not read again and again with others`(_ comeAsFaults: Bool) throws {
    var asked = 0
    let made = try statements { context in
      let companies = Company.where(\.rating == nil).sorted(by: \.name)
      let people = try Person.where(\.age >= 0).sorted(by: \.age).fetch(in: context)
      let faults = comeAsFaults ? try companies.returningObjectsAsFaults().fetch(in: context) : []
      let file = OtherConnection(try #require(bench.stack.coordinator.storeURL))
      #expect(file.run("DELETE FROM ZCOMPANY WHERE ZNAME LIKE 'c%0'"))
      bench.stack.coordinator.cache.removeAll()
      asked = selects
      let names = comeAsFaults ? faults.map(\.name) : people.map { $0.employer?.name ?? "" }
      #expect(names.count { !$0.isEmpty } == count * 9 / 10)
      asked = selects - asked
    }
    // Each by itself, and no more.
    #expect(asked <= count / 10 + count / 500 + 2, "\(asked) of \(made)")
  }

  @Test func `what is gone, of another kind, or unsaved above is told by itself`() throws {
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    let fresh = parent.performAndWait { _ in
      (0..<20).map { Person.named("f\($0)", at: Company.named("f\($0)", in: parent), in: parent) }
        .map(\.objectID)
    }
    let other = bench.child("Other")
    try other.performAndWait { _ in
      for company in try Company.findAll(where: .beginsWith(\.name, "c1"), in: other) {
        company.delete()
      }
      try other.saveAndWait(toPersistentStore: true)
    }
    try child.performAndWait { _ in
      let people = try Person.findAll(where: \.age >= 0, in: child)
      let named = people.filter { $0.employer != nil }
      let kept = people.filter { !$0.name.hasPrefix("p1") || fresh.contains($0.objectID) }
      #expect(named.count == kept.count)
      for person in named { #expect(person.employer?.name.dropFirst() == person.name.dropFirst()) }
    }
  }
}
