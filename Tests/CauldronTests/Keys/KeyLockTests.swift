import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// Creation while somebody else has the lock of the file.
@Suite(.againstHanging) struct KeyLockTests {
  /// How long the lock is held, and the most that a creation may take meanwhile.
  private static let held = 20.0 * slack
  private static let most = Duration.seconds(2 * slack)

  @Test func `the first creation on main does not wait for another context's commit`() throws {
    let bench = try KeyBench(isBusy: false)
    let writes = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
    let writer = bench.child("Writer")
    Company.create(in: writer).name = "acme"
    bench.store.pause = {
      writes.signal()
      _ = goOn.wait(timeout: .now() + Self.held)
    }
    writer.save(toPersistentStore: true) { _, _ in }
    writes.wait()
    bench.store.pause = nil
    let clock = ContinuousClock()
    let (time, ids) = bench.onMain { main in
      var ids: [ManagedObjectID] = []
      let time = clock.measure {
        for _ in 0..<100 { ids.append(Person.named("jack", in: main).objectID) }
        ids.append(Passport.create(in: main).objectID)
      }
      return (time, ids)
    }
    #expect(time < Self.most)
    #expect(ids.allSatisfy { $0.isProvisional }, "the store was not locked")
    goOn.signal()
    try bench.onMain { try $0.save() }
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try bench.storedKeys("Person").count == 100)
    #expect(try bench.storedKeys("Passport").count == 1)
    #expect(try bench.storedKeys("Company").count == 1)
    bench.onMain { main in
      #expect(ids.allSatisfy { !main.object(with: $0).objectID.isProvisional })
    }
  }

  @Test func `the first creation on main does not wait for another process's lock`() throws {
    let bench = try Bench(.file)
    let url = try #require(bench.stack.coordinator.storeURL)
    let other = OtherConnection(url)
    #expect(other.run("BEGIN IMMEDIATE"))
    let clock = ContinuousClock()
    let time = clock.measure {
      bench.onMain { main in
        let acme = Company.named("acme", in: main)
        for _ in 0..<100 { Person.named("jack", at: acme, in: main) }
      }
    }
    #expect(time < Self.most)
    Thread.detachNewThread {
      usleep(300_000)
      other.run("COMMIT")
    }
    try bench.onMain { main in
      #expect(try Person.findAll(in: main).allSatisfy { $0.objectID.isTemporaryID })
      try main.save()
    }
    // It waits for the lock, as every save does.
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(other.integers("SELECT Z_PK FROM ZPERSON").filter { $0 > 0 }.count == 100)
    #expect(other.integers("SELECT count(*) FROM ZPERSON WHERE Z_PK <= 0") == [0])
    let acme = other.integers("SELECT Z_PK FROM ZCOMPANY")
    #expect(acme.count == 1 && other.integers("SELECT DISTINCT ZEMPLOYER FROM ZPERSON") == acme)
    let most = other.integers("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'").first ?? 0
    #expect(most >= other.integers("SELECT max(Z_PK) FROM ZPERSON")[0])
  }

  @Test func `while nobody else writes, IDs are final from the start`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let people = (0..<3_000).map { Person.named("\($0)", in: context) }
    let ids = people.map(\.objectID)
    #expect(ids.allSatisfy { !$0.isProvisional && !$0.isTemporaryID })
    try context.saveAndWait(toPersistentStore: true)
    #expect(people.map(\.objectID) == ids)
  }

  @Test func `opening, reading and closing write nothing`() throws {
    let bench = try Bench(.file)
    let url = try #require(bench.stack.coordinator.storeURL)
    let other = OtherConnection(url)
    let before = other.integers("PRAGMA data_version")
    #expect(try Person.count(in: bench.child()) == 0)
    let companies = try bench.onMain { try Company.count(in: $0) }
    #expect(companies == 0)
    #expect(other.integers("PRAGMA data_version") == before)
  }

  @Test func `of many contexts that create and save at once none loses an object`() async throws {
    let bench = try Bench(.file)
    let rounds = 25
    let ids = try await withThrowingTaskGroup(of: [ManagedObjectID].self) { group in
      for task in 0..<6 {
        group.addTask { try await Self.create(rounds, "\(task)", task % 2 == 0, bench) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let context = bench.committed()
    let people = try Person.findAll(in: context)
    #expect(people.count == 6 * rounds && Set(ids).count == 6 * rounds)
    #expect(people.allSatisfy { $0.name.hasPrefix(($0.employer?.name ?? "none") + ".") })
    #expect(Set(ids.map { context.object(with: $0) }) == Set(people))
    #expect(people.allSatisfy { !$0.objectID.isTemporaryID && !$0.objectID.isProvisional })
  }

  /// Creates a company with a person in a new context and saves it, again and again.
  private static func create(
    _ rounds: Int, _ name: String, _ isBelowMain: Bool, _ bench: Bench
  ) async throws -> [ManagedObjectID] {
    var ids: [ManagedObjectID] = []
    for round in 0..<rounds {
      let context = bench.child(name, of: isBelowMain ? bench.mainContext : bench.root)
      let id = await context.perform { local in
        let company = Company.create(in: local)
        company.name = name
        let person = Person.create(in: local)
        person.name = "\(name).\(round)"
        person.employer = company
        return person.objectID
      }
      ids.append(id)
      try await context.save(toPersistentStore: true)
    }
    return ids
  }
}
