import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport
import Testing

@Suite(.againstHanging) struct ReadBlockTests {
  private func office(
    _ kind: StoreKind, _ adapt: (inout StackConfiguration) -> Void = { _ in }
  ) throws -> (Bench, ManagedObjectContext) {
    let bench = try Bench(kind, adapt)
    let context = bench.child()
    let acme = Company.named("Acme", in: context)
    for age in 1...6 { Person.named("p\(age)", age: age, at: acme, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    return (bench, context)
  }

  @Test(arguments: StoreKind.allCases)
  func `a block sees one committed moment`(_ kind: StoreKind) throws {
    let (bench, context) = try office(kind)
    try bench.stack.readAndWait { reader in
      let first = try #require(try Person.findFirst(sortedBy: \.age, in: reader))
      let company = try #require(first.employer)
      try Person.where(\.age > 1).batchUpdate(in: context) { $0.age.set($0.age * 10) }
      Person.named("new", age: 0, at: nil, in: context)
      try #require(try Person.findFirst(\.age, 1, in: context)).name = "changed"
      try context.saveAndWait(toPersistentStore: true)
      #expect(try Person.findAll(sortedBy: \.age, in: reader).map(\.age) == [1, 2, 3, 4, 5, 6])
      #expect(try Person.select(\.age).sorted(by: \.age).fetch(in: reader) == [1, 2, 3, 4, 5, 6])
      #expect(company.employees.count == 6)
      #expect(company.employees.map(\.age).reduce(0, +) == 21)
      reader.refreshAllObjects()
      #expect(first.name == "p1")
    }
    let count = try bench.stack.readAndWait { try Person.where(\.age >= 20).count(in: $0) }
    #expect(count == 5)
  }

  @Test(arguments: StoreKind.allCases)
  func `what is pending is not seen, and nothing can be saved`(_ kind: StoreKind) async throws {
    let (bench, context) = try office(kind)
    Person.named("pending", in: context)
    context.processPendingChanges()
    let id = try Person.fetchRequest(where: \.age == 2).firstID(in: context)
    let seen = try await bench.stack.read { reader in
      let person = try #require(try Person.findFirst(\.age, 2, in: reader))
      #expect(person.objectID == id)
      person.name = "edited"
      let code = cauldronError { try reader.save() }?.code
      #expect(code == .storeReadOnly)
      return try Person.count(in: reader)
    }
    #expect(seen == 6)
    #expect(try Person.findFirst(\.age, 2, in: bench.committed())?.name == "p2")
    #expect(id?.entityName == "Person")
  }

  @Test func `a long block is warned of, and loses its view where it may not last`() async throws {
    let (bench, _) = try office(.file) {
      $0.readWarning = 0.02
      $0.readLimit = 0.1
    }
    let error = await #expect(throws: CauldronError.self) {
      try await bench.stack.read { reader in
        #expect(try Person.count(in: reader) == 6)
        while true {
          Thread.sleep(forTimeInterval: 0.01)
          _ = try Person.count(in: reader)
        }
      }
    }
    #expect(error?.code == .storeReadTooLong)
    let warnings = bench.log.lines.filter { $0.level == .warning }
    #expect(warnings.count == 1 && warnings[0].message.contains("0.02 s"))
    #expect(warnings[0].metadata["at"].map { "\($0)" }?.contains("ReadBlockTests.swift") == true)
  }

  @Test func `a block that has ended gives its reader back`() throws {
    let (bench, context) = try office(.file)
    for age in 10..<40 {
      _ = try bench.stack.readAndWait { try Person.count(in: $0) }
      Person.named("x", age: age, in: context)
      try context.saveAndWait(toPersistentStore: true)
    }
    let url = try #require(bench.stack.coordinator.storeURL)
    // Nobody holds the log: it can be brought into the file and emptied.
    #expect(OtherConnection(url).integers("PRAGMA wal_checkpoint(TRUNCATE)").first == 0)
  }
}

extension FetchRequest {
  fileprivate func firstID(in context: ManagedObjectContext) throws -> ManagedObjectID? {
    try context.fetchObjectIDs(self).first
  }
}
