import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite struct BatchInsertionTests {
  @Test(arguments: StoreKind.allCases)
  func `rows are filled and written at once`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let context = bench.child()
    let acme = Company.named("Acme", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let summary = try Person.batchInsert(0..<100, returningIDs: true, in: context) { row, index in
      row.name = "p\(index)"
      row.age = row.age + index
      row.employer = acme.objectID
      #expect(row.name == "p\(index)" && row.employer == acme.objectID && row.birthday == nil)
    }
    #expect(summary.inserted == 100 && summary.objectIDs.count == 100)
    let people = try Person.findAll(sortedBy: \.age, in: context)
    #expect(people.map(\.objectID) == summary.objectIDs)
    #expect(people[7].name == "p7" && people[7].employer === acme && acme.employees.count == 100)
    let again = try Person.batchInsert(["x", "y"], in: context) { row, name in row.name = name }
    #expect(again.inserted == 2)
    // Keys go on where the batch has ended.
    let made = Person.named("z", in: context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 103 && !made.isDeleted)
    #expect(try bench.stack.coordinator.store.verify().isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `what is wrong with one row refuses all`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let context = bench.child()
    let missing = cauldronError {
      try Person.batchInsert(0..<3, in: context) { row, index in if index != 1 { row.name = "p" } }
    }
    #expect(missing?.code == .validationMissing && missing?.property == "name")
    let taken = cauldronError {
      try Person.batchInsert(0..<3, in: context) { row, index in
        row.name = "p\(index)"
        row.email = "\(index / 2)@x"
      }
    }
    #expect(taken?.code == .saveConstraint && taken?.property == nil || taken?.entity == "Person")
    let gone = Company.named("Gone", in: context)
    let unsaved = cauldronError {
      try Person.batchInsert(0..<1, in: context) { row, _ in
        row.name = "p"
        row.employer = gone.objectID
      }
    }
    #expect([.saveConstraint, .storeDanglingReference].contains(unsaved?.code))
    let passport = cauldronError {
      try Passport.batchInsert(0..<1, in: context) { row, _ in row.holder = nil }
    }
    #expect(passport?.code == .queryUnsupported)
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `an upsert changes what has the values, and inserts the rest`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let context = bench.child()
    let known = Person.named("one", age: 41, in: context)
    known.email = "1@x"
    try context.saveAndWait(toPersistentStore: true)
    let values = [("1@x", "uno"), ("2@x", "dos"), ("2@x", "due"), ("1@x", "ein")]
    let summary = try Person.upsert(values, on: \.email, returningIDs: true, in: context) {
      row, value in
      row.email = value.0
      row.name = value.1
    }
    #expect(summary.inserted == 1 && summary.updated == 1)
    #expect(Set(summary.objectIDs).contains(known.objectID) && summary.objectIDs.count == 2)
    #expect(known.name == "ein" && known.age == 41)
    let all = try Person.findAll(sortedBy: \.email, in: bench.committed())
    #expect(all.map(\.name) == ["ein", "due"])
    let undeclared = cauldronError {
      try Person.upsert(["x"], on: \.name, in: context) { row, name in row.name = name }
    }
    #expect(undeclared?.code == .queryUnsupported)
    let nothing = try Person.upsert(["x", "y"], on: \.email, in: context) { row, name in
      row.name = name
    }
    #expect(nothing.inserted == 2)
    if let url = bench.stack.coordinator.storeURL {
      #expect(OtherConnection(url).integers("SELECT Z_OPT FROM ZPERSON ORDER BY Z_PK")[0] == 2)
    }
  }

  @Test func `a pending object with the same unique value meets the one of the batch`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let mine = Person.named("mine", in: context)
    mine.email = "1@x"
    context.processPendingChanges()
    try Person.batchInsert(0..<1, in: bench.child("Other")) { row, _ in
      row.name = "theirs"
      row.email = "1@x"
    }
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConstraint)
    try context.saveAndWait(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try Person.findAll(in: bench.committed()).map(\.name) == ["mine"])
  }

  @Test func `the asynchronous forms work on a stack`() async throws {
    let bench = try Bench(.memory)
    let stack = bench.stack
    let stream = AsyncStream<Int> { stream in
      for number in 0..<5 { stream.yield(number) }
      stream.finish()
    }
    try await Person.batchInsert(stream, in: stack) { row, number in
      row.name = "p\(number)"
      row.age = number
    }
    try await Person.batchInsert(0..<2, in: stack) { row, _ in row.name = "more" }
    try await Person.upsert(["1@x"], on: \.email, in: stack) { row, email in
      row.email = email
      row.name = email
    }
    try await Person.where(\.name == "more").batchDelete(in: stack)
    let summary = try await Person.where(\.age > 2).batchUpdate(in: stack) { $0.name.set("old") }
    #expect(summary.updated == 2)
    #expect(try Person.names(in: bench.committed()) == ["1@x", "old", "old", "p0", "p1", "p2"])
  }
}
