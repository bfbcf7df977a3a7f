import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// Keys are exchanged all the time, while others read, edit and save.
@Suite(.againstHanging) struct KeyStressTests {
  private static let workers = 4
  private static let rounds = 40

  /// What a worker has saved: the ID that the object had when it was created, and its age.
  private struct Saved: Sendable {
    let id: ManagedObjectID
    let name: String
    let age: Int
  }

  @Test(arguments: StoreKind.allCases)
  func `whoever reads, edits or saves meanwhile, each object is one object`(
    _ kind: StoreKind
  ) async throws {
    let bench = try KeyBench(kind)
    let all = Locked<[Saved]>([])
    let isDone = Locked(false)
    // The first keys are exchanged, however late or early the thread comes.
    bench.store.isBusy = true
    // A thread of its own: a task may wait for other tests until all is saved.
    Thread.detachNewThread {
      var random = SeededGenerator(seed: 7)
      while !isDone.withLock({ $0 }) {
        let isFirst = all.withLock { $0.isEmpty }
        bench.store.isBusy = Int.random(in: 0..<4, using: &random) > 0 || isFirst
        usleep(UInt32.random(in: 100..<3_000, using: &random))
      }
    }
    let contexts = (0..<Self.workers).map {
      bench.child("\($0)", of: $0 % 2 == 0 ? bench.root : bench.main)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, context) in contexts.enumerated() {
        group.addTask { try await Self.work(number, context, all) }
      }
      try await group.waitForAll()
    }
    isDone.withLock { $0 = true }
    let saved = all.withLock { $0 }
    #expect(saved.contains { $0.id.isProvisional }, "no key was ever exchanged")
    for context in contexts + [bench.fresh()] {
      let problems = await context.perform { Self.problems($0, saved) }
      #expect(problems.isEmpty)
    }
    #expect(try bench.storedKeys("Person").count == saved.count)
    #expect(try bench.storedKeys("Company").count == saved.count)
    #expect(try bench.storedKeys("Person").allSatisfy { $0 > 0 })
  }

  /// Creates objects, changes those of earlier rounds, looks at those of others, and saves.
  private static func work(
    _ number: Int, _ context: ManagedObjectContext, _ all: Locked<[Saved]>
  ) async throws {
    var mine: [Saved] = []
    for round in 0..<rounds {
      let (earlier, others) = (mine, all.withLock { $0 })
      mine = await context.perform { local in
        var result: [Saved] = []
        for saved in earlier {
          let person = unsafeDowncast(local.object(with: saved.id), to: Person.self)
          person.age += 1
          result.append(Saved(id: saved.id, name: saved.name, age: saved.age + 1))
        }
        for saved in others.suffix(3) { _ = (try? local.existingObject(with: saved.id))?.isFault }
        let company = Company.create(in: local)
        company.name = "\(number).\(round)"
        let person = Person.create(in: local)
        person.name = company.name
        person.employer = company
        result.append(Saved(id: person.objectID, name: person.name, age: 0))
        return result
      }
      try await context.save(toPersistentStore: true)
      if round % 8 == 7 { await context.perform { local in local.rollback() } }
      let (done, left) = (mine.prefix(max(0, mine.count - 3)), mine.suffix(3))
      mine = Array(left)
      all.withLock { $0 += done }
    }
    let rest = mine
    all.withLock { $0 += rest }
  }

  private static func problems(_ local: LocalContext, _ saved: [Saved]) -> [String] {
    var problems: [String] = []
    for saved in saved {
      guard let person = try? local.existingObject(with: saved.id) as? Person else {
        problems.append("\(saved.name) is lost")
        continue
      }
      let isSame = local.object(with: person.objectID) === person
      if !isSame { problems.append("\(saved.name) is two objects") }
      if person.objectID.isProvisional { problems.append("\(saved.name) is provisional") }
      if person.name != saved.name || person.age != saved.age {
        problems.append("\(saved.name), \(saved.age) is \(person.name), \(person.age)")
      }
      if person.employer?.name != saved.name || person.employer?.employees.objects != [person] {
        problems.append("\(saved.name) has another employer")
      }
    }
    let registered = local.context.registeredObjects
    if Set(registered.map(\.objectID)).count != registered.count {
      problems.append("there are two objects with one ID")
    }
    return problems
  }
}
