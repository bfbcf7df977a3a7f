import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct StreamTests {
  private func office(_ kind: StoreKind, _ count: Int = 60) throws -> Bench {
    let bench = try Bench(kind)
    let context = bench.child()
    let companies = ["Acme", "Best", "Cash"].map { Company.named($0, in: context) }
    for number in 0..<count {
      let person = Person.named(
        "p\(number % 7)", age: number, at: number % 4 == 0 ? nil : companies[number % 3],
        in: context)
      person.email = number % 3 == 0 ? nil : "\(number)@x"
      person.birthday =
        number % 5 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number % 6) / 2)
    }
    try context.saveAndWait(toPersistentStore: true)
    return bench
  }

  private static let queries: [ObjectQuery<Person>] = [
    ObjectQuery(), Person.where(\.age > 20), ObjectQuery().sorted(by: \.name),
    ObjectQuery().sorted(by: \.email, ascending: false), ObjectQuery().sorted(by: \.birthday),
    ObjectQuery().sorted(by: \.birthday, ascending: false).sorted(by: \.name),
    ObjectQuery().sorted { $0.employer.name }.sorted(by: \.email),
    ObjectQuery().sorted { $0.employer.name.descending }, ObjectQuery().limit(23).offset(5),
    ObjectQuery().sorted { $0.name.ascending(.ignoringCase) }.limit(20).offset(3),
    ObjectQuery().limit(0),
  ]

  @Test(arguments: StoreKind.allCases, [1, 7, 500])
  func `pages have what one fetch has, in its order`(_ kind: StoreKind, _ size: Int) throws {
    let bench = try office(kind)
    let context = bench.child("Reader")
    for isPending in [false, true] {
      if isPending {
        Person.named("new", age: 99, in: context)
        Person.named("p3", age: 98, in: context).birthday = Date(timeIntervalSinceReferenceDate: 1)
        try #require(try Person.findFirst(\.age, 30, in: context)).name = "p0"
        try #require(try Person.findFirst(\.age, 31, in: context)).delete()
        context.processPendingChanges()
      }
      for query in Self.queries {
        var ages: [Int] = []
        try query.forEach(pageSize: size, in: context) { ages.append($0.age) }
        let all = try query.fetch(in: context).map(\.age)
        #expect(query.request.sortKeys.isEmpty ? Set(ages) == Set(all) : ages == all)
        #expect(ages.count == all.count)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `what changes meanwhile comes once at most, and what is inserted not at all`(
    _ kind: StoreKind
  ) throws {
    let bench = try office(kind)
    let other = bench.child("Other")
    var seen: [Int] = []
    try ObjectQuery<Person>().forEach(pageSize: 10, in: bench.committed()) { person in
      seen.append(person.age)
      guard seen.count == 15 else { return }
      try Person.where(\.age < 5 || \.age >= 50).batchDelete(in: other)
      try Person.batchInsert(0..<3, in: other) { row, index in
        row.name = "later"
        row.age = 100 + index
      }
    }
    #expect(seen == Array(0..<50))
  }

  @Test(arguments: StoreKind.allCases, [6, 7])
  func `an edit further on moves no object of an unsorted run`(
    _ kind: StoreKind, _ count: Int
  ) throws {
    let bench = try office(kind, count)
    let context = bench.child("Reader")
    var ages: [Int] = []
    try ObjectQuery<Person>().forEach(pageSize: 3, in: context) { person in
      if ages.isEmpty { try #require(try Person.findFirst(\.age, 3, in: context)).name = "edited" }
      ages.append(person.age)
    }
    #expect(ages == Array(0..<count))
  }

  @Test(.againstHanging, arguments: StoreKind.allCases, [true, false])
  func `a loop that makes objects ends`(_ kind: StoreKind, _ isSorted: Bool) throws {
    let bench = try office(kind, 20)
    let context = bench.child("Reader")
    let all = ObjectQuery<Person>()
    var seen = 0
    try (isSorted ? all.sorted(by: \.age) : all).forEach(pageSize: 10, in: context) { person in
      Person.named("copy", age: 1_000 + seen, in: context)
      seen += 1
    }
    #expect(seen == 20)
    #expect(try Person.count(in: context) == 40)
  }

  @Test func `an edit on the way does not have objects be kept`() throws {
    let bench = try office(.file, 2_000)
    let context = bench.child("Reader")
    try context.performAndWait { context in
      let company = try #require(try Company.findFirst(\.name, "Acme", in: context))
      var most = 0
      try ObjectQuery<Person>().forEach(pageSize: 50, in: context) { person in
        company.rating = (company.rating ?? 0) + 1
        most = max(most, context.context.registeredObjects.count)
      }
      #expect(most < 500)
    }
  }

  @Test func `a slow page is told of`() throws {
    let bench = try Bench(.file) { $0.slowFetch = 0 }
    let context = bench.child()
    for age in 0..<5 { Person.named("p", age: age, in: context) }
    try ObjectQuery<Person>().forEach(pageSize: 3, in: context) { _ in }
    let deadline = Date.now + 20
    while !bench.log.messages().contains(where: { $0.hasPrefix("Slow fetch of Person") }),
      Date.now < deadline
    { Thread.sleep(forTimeInterval: 0.01) }
    #expect(bench.log.messages().contains { $0.hasPrefix("Slow fetch of Person") })
  }

  @Test(arguments: StoreKind.allCases)
  func `a stack can be closed in a block that reads`(_ kind: StoreKind) throws {
    let bench = try office(kind, 5)
    let error = cauldronError {
      try bench.stack.readAndWait { context in
        #expect(try Person.count(in: context) == 5)
        try bench.stack.close()
        _ = try Person.count(in: context)
      }
    }
    #expect(error?.code == .stackClosed)
  }

  @Test(arguments: StoreKind.allCases)
  func `lines come one after the other`(_ kind: StoreKind) async throws {
    let bench = try office(kind)
    var lines: [(String, Int)] = []
    let selection = Person.select(\.name, \.age).where(\.age >= 10).sorted(by: \.name)
    for try await line in selection.stream(pageSize: 8, in: bench.stack) { lines.append(line) }
    let all = try selection.fetch(in: bench.committed())
    #expect(lines.map(\.1) == all.map(\.1) && lines.map(\.0) == all.map(\.0))
    await #expect(throws: CauldronError.self) {
      for try await _ in Person.select(\.name).distinct().stream(in: bench.stack) {}
    }
  }

  @MainActor @Test(arguments: StoreKind.allCases)
  func `objects of the default context come one after the other`(_ kind: StoreKind) async throws {
    let directory = try TemporaryDirectory()
    let stack = try Stack(
      storeURL: kind == .file ? directory.file("stream.sqlite") : nil, model: Office.model())
    defer { try? stack.close() }
    try await Person.batchInsert(0..<50, in: stack) { row, index in
      row.name = "p"
      row.age = index
    }
    try await Stack.$current.withValue(stack) {
      let context = ManagedObjectContext.default
      try #require(try Person.findFirst(\.age, 7)).name = "mine"
      var ages: [Int] = []
      for try await person in ObjectQuery<Person>().sorted(by: \.age).stream(pageSize: 9) {
        #expect(person.managedObjectContext === context)
        #expect(person.name == (person.age == 7 ? "mine" : "p"))
        ages.append(person.age)
      }
      #expect(ages == Array(0..<50))
    }
  }

  @Test(.againstHanging)
  func `a thousand cancelled reads disturb no other one`() async throws {
    let bench = try office(.file, 2_000)
    let stack = bench.stack
    let slow = Person.where { $0.employer.employees.count { $0.age > 3 } > 5 }
    let right = try slow.count(in: bench.committed())
    let ended = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      var random = SeededGenerator(seed: 3)
      for number in 0..<1_000 {
        let delay = UInt64.random(in: 0..<3_000_000, using: &random)
        group.addTask {
          let task = Task {
            try await stack.read { try Person.where(\.age >= 0).count(in: $0) }
          }
          let doomed = Task {
            try await stack.read { context in
              try Person.where { $0.name.matches("(p|q)*[0-5]") }.count(in: context)
            }
          }
          try? await Task.sleep(nanoseconds: delay)
          doomed.cancel()
          #expect(await (try? task.value) == 2_000, "read \(number)")
          do {
            _ = try await doomed.value
          } catch is CancellationError {
            ended.withLock { $0 += 1 }
          } catch {
            Issue.record("\(error)")
          }
        }
        if number % 8 == 7 { await group.waitForAll() }
      }
    }
    #expect(ended.withLock { $0 } > 0)
    #expect(try slow.count(in: bench.committed()) == right)
  }

  @Test(arguments: StoreKind.allCases)
  func `a stream ends where its task is cancelled`(_ kind: StoreKind) async throws {
    let bench = try office(kind)
    let stack = bench.stack
    let task = Task {
      var count = 0
      for try await _ in Person.select(\.name).stream(pageSize: 5, in: stack) {
        count += 1
        if count == 7 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }
}
