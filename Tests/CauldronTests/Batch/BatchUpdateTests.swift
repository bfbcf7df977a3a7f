import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Entity final class Coupon: ManagedObject {
  @Attribute(.unique) var number: Int = 0
  @Attribute(.range(0...10)) var rank: Int = 0
  var seat: Int16 = 0
  var weight: Float = 0
  var code: String?
}

@Suite struct BatchUpdateTests {
  private func office(_ kind: StoreKind) throws -> (Bench, ManagedObjectContext) {
    let bench = try Bench(kind)
    let context = bench.child()
    let acme = Company.named("Acme", in: context)
    for age in 1...6 { Person.named("p\(age)", age: age, at: age < 4 ? acme : nil, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    return (bench, context)
  }

  private func tickets(_ kind: StoreKind, _ count: Int = 5) throws -> (Bench, ManagedObjectContext)
  {
    let bench = try Bench(kind, model: ManagedObjectModel(Coupon.self))
    let context = bench.child()
    for number in 1...count {
      let ticket = Coupon.create(in: context)
      ticket.number = number
      ticket.rank = number % 10
    }
    try context.saveAndWait(toPersistentStore: true)
    return (bench, context)
  }

  @Test(arguments: StoreKind.allCases)
  func `all objects of a query change at once, and their versions with them`(
    _ kind: StoreKind
  ) throws {
    let (bench, context) = try office(kind)
    let found = try Person.where(\.age > 3).sorted(by: \.age).fetchIDs(in: context)
    let summary = try Person.where(\.age > 3).batchUpdate(returningIDs: true, in: context) {
      $0.name.set("old")
      $0.age.set($0.age * 2 + 1)
      $0.email.set(nil)
    }
    #expect(summary.updated == 3 && summary.inserted == 0 && summary.deleted == 0)
    #expect("\(summary)" == "3 updated" && "\(BatchSummary())" == "nothing changed")
    #expect(summary.objectIDs == found)
    let other = bench.committed()
    #expect(try Person.findAll(sortedBy: \.age, in: other).map(\.age) == [1, 2, 3, 9, 11, 13])
    #expect(try Person.count(where: \.name == "old", in: other) == 3)
    if let url = bench.stack.coordinator.storeURL {
      let versions = OtherConnection(url).integers("SELECT Z_OPT FROM ZPERSON ORDER BY Z_PK")
      #expect(versions == [1, 1, 1, 2, 2, 2])
    }
    let none = try Person.where(\.age > 99).batchUpdate(in: context) { $0.name.set("x") }
    #expect(none == BatchSummary())
  }

  @Test(arguments: StoreKind.allCases)
  func `the window of the query counts`(_ kind: StoreKind) throws {
    let (bench, context) = try office(kind)
    let two = ObjectQuery<Person>().sorted(by: \.age, ascending: false).limit(2).offset(1)
    #expect(try two.batchUpdate(in: context) { $0.name.set("second") }.updated == 2)
    let changed = try Person.findAll(\.name, "second", sortedBy: \.age, in: bench.committed())
    #expect(changed.map(\.age) == [4, 5])
  }

  @Test(arguments: StoreKind.allCases)
  func `numbers are rounded down`(_ kind: StoreKind) throws {
    let (bench, context) = try tickets(kind)
    let coupons = ObjectQuery<Coupon>()
    for coupon in try coupons.fetch(in: context) { coupon.weight = Float(coupon.number) * -0.5 }
    try context.saveAndWait(toPersistentStore: true)
    _ = try coupons.batchUpdate(in: context) { $0.weight.set($0.weight.roundedDown) }
    let found = try Coupon.findAll(sortedBy: \.number, in: bench.committed())
    #expect(found.map(\.weight) == [-1, -1, -2, -2, -3])
  }

  @Test(arguments: StoreKind.allCases)
  func `a value that no statement has room for is calculated all the same`(
    _ kind: StoreKind
  ) throws {
    let (bench, context) = try office(kind)
    let summary = try Person.where(\.age > 3).batchUpdate(in: context) { person in
      var age = person.age + 1
      for _ in 1..<400 { age = age + 1 }
      person.age.set(age)
    }
    #expect(summary.updated == 3)
    let ages = try Person.findAll(sortedBy: \.age, in: bench.committed()).map(\.age)
    #expect(ages == [1, 2, 3, 404, 405, 406])
  }

  @Test(arguments: StoreKind.allCases)
  func `values may follow relationships, and relationships may be set`(_ kind: StoreKind) throws {
    let (bench, context) = try office(kind)
    let acme = try #require(try Company.findFirst(in: context))
    try Person.where { $0.employer.name == "Acme" }.batchUpdate(in: context) {
      $0.name.set($0.employer.name)
    }
    let other = bench.committed()
    #expect(try Person.count(where: \.name == "Acme", in: other) == 3)
    let moved = try Person.where(\.age >= 5).batchUpdate(in: context) { $0.employer.set(acme) }
    #expect(moved.updated == 2)
    #expect(try Company.count(where: { $0.employees.count == 5 }, in: other) == 1)
    try Person.where(\.age < 3).batchUpdate(in: context) { $0.employer.set(nil) }
    #expect(try Company.count(where: { $0.employees.count == 3 }, in: other) == 1)
    let id: ManagedObjectID? = acme.objectID
    try Person.where(\.age < 3).batchUpdate(in: context) { $0.employer.set(id) }
    #expect(acme.employees.count == 5)
    let error = cauldronError {
      try Person.where(\.age < 3).batchUpdate(in: context) { $0.passport.set(nil) }
    }
    #expect(error?.code == .queryUnsupported)
  }

  @Test(arguments: StoreKind.allCases)
  func `registered objects follow, deleted ones included`(_ kind: StoreKind) throws {
    let (bench, context) = try office(kind)
    let sibling = bench.child("Sibling")
    let people = try Person.findAll(sortedBy: \.age, in: sibling)
    sibling.automaticallyMergesChangesFromParent = true
    let deaf = bench.child("Deaf")
    let unheard = try Person.findAll(sortedBy: \.age, in: deaf)
    let told = Locked<[ContextChange]>([])
    let observation = sibling.observe { change in told.withLock { $0.append(change) } }
    let onMain = try bench.onMain { try Person.findAll(sortedBy: \.age, in: $0).map(\.objectID) }
    try Person.where(\.age > 4).batchUpdate(in: context) { $0.name.set("new") }
    try Person.where(\.age == 1).batchDelete(in: context)
    sibling.processPendingChanges()
    bench.settleMain()
    #expect(people.dropFirst().map(\.name) == ["p2", "p3", "p4", "new", "new"])
    #expect(people[0].isDeleted)
    #expect(unheard.map(\.name) == ["p1", "p2", "p3", "p4", "p5", "p6"])
    let names = try bench.onMain { main in
      try onMain.dropFirst().map { try main.existingObject(with: $0) as? Person }.map { $0?.name }
    }
    #expect(names == ["p2", "p3", "p4", "new", "new"])
    let merges = told.withLock { $0.filter { $0.kind == .didMerge } }
    #expect(Set(merges.flatMap(\.refreshed)) == Set(people[4...].map(\.objectID)))
    #expect(merges.flatMap(\.deleted) == [onMain[0]])
    observation.cancel()
  }

  @Test(arguments: StoreKind.allCases)
  func `a pending edit of the same property is a conflict, others go together`(
    _ kind: StoreKind
  ) throws {
    let (bench, context) = try office(kind)
    let editing = bench.child("Editing")
    let people = try Person.findAll(sortedBy: \.age, in: editing)
    people[4].name = "mine"
    people[5].age = 60
    editing.processPendingChanges()
    try Person.where(\.age == 6).batchUpdate(in: context) { $0.name.set("batch") }
    try editing.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    #expect(try Person.findFirst(\.age, 60, in: other)?.name == "batch")
    people[4].name = "mine again"
    editing.processPendingChanges()
    try Person.where(\.age == 5).batchUpdate(in: context) { $0.name.set("batch") }
    let error = cauldronError { try editing.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    #expect(error?.conflicts.first?.objectID == people[4].objectID)
    #expect(people[4].name == "mine again")
    editing.refresh(people[4], mergeChanges: true)
    try editing.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(where: \.name == "mine again", in: other) == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `what the schema refuses is refused as a whole`(_ kind: StoreKind) throws {
    let (bench, context) = try tickets(kind)
    func refusal(_ change: (BatchChange<Coupon>) -> Void) -> CauldronError.Code? {
      cauldronError { try ObjectQuery<Coupon>().batchUpdate(in: context, change) }?.code
    }
    #expect(refusal { $0.number.set(7) } == .saveConstraint)
    #expect(refusal { $0.rank.set(11) } == .validationMultiple)
    #expect(refusal { $0.rank.set($0.rank * 3) } == .validationMultiple)
    #expect(refusal { $0.seat.set($0.seat / 0) } == .validationMultiple)
    #expect(refusal { $0.number.set($0.number * Int.max) } == .queryOverflow)
    let all = try Coupon.findAll(sortedBy: \.number, in: bench.committed())
    #expect(all.map(\.number) == [1, 2, 3, 4, 5] && all.map(\.rank) == [1, 2, 3, 4, 5])
    let unknown = cauldronError {
      try context.batchUpdate(
        FetchRequest<Coupon>(), [BatchAssignment("nmuber", .expression(.value(.integer(1))))])
    }
    #expect(unknown?.code == .queryUnknownKey)
    let mismatch = cauldronError {
      try context.batchUpdate(
        FetchRequest<Coupon>(), [BatchAssignment("number", .expression(.value(.text("1"))))])
    }
    #expect(mismatch?.code == .queryTypeMismatch)
  }

  @Test(arguments: StoreKind.allCases)
  func `unique values move on from object to object`(_ kind: StoreKind) throws {
    let (bench, context) = try tickets(kind)
    let summary = try ObjectQuery<Coupon>().batchUpdate(in: context) {
      $0.number.set($0.number + 1)
      $0.weight.set(0.1)
      $0.code.set("c")
    }
    #expect(summary.updated == 5)
    let all = try Coupon.findAll(sortedBy: \.number, in: bench.committed())
    #expect(all.map(\.number) == [2, 3, 4, 5, 6])
    #expect(all.allSatisfy { $0.weight == 0.1 && $0.code == "c" })
  }

  @Test func `both ways leave the same rows behind`() throws {
    var random = SeededGenerator(seed: 7)
    let (file, inFile) = try tickets(.file, 40)
    let (memory, inMemory) = try tickets(.memory, 40)
    for _ in 0..<60 {
      let least = Int.random(in: 0...40, using: &random)
      let step = Int.random(in: -3...3, using: &random)
      let isHalf = Bool.random(using: &random)
      let results = [inFile, inMemory].map { context in
        Result {
          try Coupon.where(\.number >= least).batchUpdate(in: context) {
            $0.seat.set($0.seat + 1)
            $0.weight.set($0.weight / 3 + 1)
            if isHalf { $0.rank.set($0.rank / 2) } else { $0.code.set("\(step)") }
            if step != 0 { $0.number.set($0.number + step) }
          }
        }.mapError { ($0 as? CauldronError) ?? CauldronError(.queryUnsupported, "\($0)") }
      }
      #expect(results[0].map(\.updated).error?.code == results[1].map(\.updated).error?.code)
      #expect((try? results[0].get().updated) == (try? results[1].get().updated))
    }
    func all(_ bench: Bench) throws -> [[AttributeScalar]] {
      var request = ValueRequest(FetchRequest<Coupon>())
      request.columns = ["number", "rank", "seat", "weight", "code"].map { .property(.init($0)) }
      return try bench.committed().fetchValues(request)
    }
    #expect(try all(file) == all(memory))
  }

  @Test(.againstHanging, arguments: StoreKind.allCases)
  func `batches and saves that run at once lose nothing`(_ kind: StoreKind) async throws {
    let (bench, _) = try tickets(kind, 8)
    let stack = bench.stack
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            try await ObjectQuery<Coupon>().batchUpdate(in: stack) { $0.seat.set($0.seat + 1) }
          }
        }
        group.addTask {
          for round in 0..<25 {
            try await stack.save(retries: 1_000) { context in
              let ticket = try Coupon.findFirst(\.number, round % 8 + 1, in: context)
              ticket?.seat += 1
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let seats = try Coupon.findAll(in: bench.committed()).map { Int($0.seat) }
    let sum: Int = seats.reduce(0, +)
    // 100 batches of 8 objects, and 100 saves of one.
    #expect(sum == 900)
  }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
