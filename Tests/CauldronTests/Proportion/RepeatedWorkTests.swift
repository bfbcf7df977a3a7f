import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Work that is done again for each of many saves, steps or arrivals stays in proportion to their
/// number.
@Suite(
  .againstHanging, .ownThread, .serialized,
  .enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time")) struct RepeatedWorkTests
{
  /// The processor time of a block on the calling thread: the least of three, because other tests
  /// disturb.
  private func seconds(_ prepare: () throws -> () throws -> Void) throws -> Double {
    var best = Double.infinity
    for _ in 0..<3 {
      let body = try prepare()
      let began = threadSeconds
      try body()
      best = min(best, threadSeconds - began)
    }
    return best
  }

  /// How often objects of a parent are asked that refuse all that a child has saved.
  private func asked(_ count: Int) throws -> Int {
    let bench = try Trial.bench()
    let parent = bench.child("Parent")
    let calls = Locked(0)
    let trials = (0..<count).map { _ in Trial.create(in: parent) }
    try parent.saveAndWait(toPersistentStore: true)
    for trial in trials {
      trial.on("update") { _ in
        calls.withLock { $0 += 1 }
        throw Trial.refusal
      }
    }
    let child = bench.child("Child", of: parent)
    try child.performAndWait { local in
      for trial in try Trial.findAll(in: local) {
        trial.size = 1
        try local.context.save()
      }
    }
    _ = try? parent.saveAndWait(toPersistentStore: true)
    #expect(child.performAndWait { $0.hasChanges } && !parent.performAndWait { $0.hasChanges })
    withExtendedLifetime(trials) {}
    return calls.withLock { $0 }
  }

  @Test func `objects that refuse the saves of children are asked in proportion to the saves`()
    throws
  {
    let calls = try [10, 20, 40].map(asked)
    #expect(calls[0] >= 10)
    #expect(calls[1] <= 2 * calls[0] + 2 && calls[2] <= 4 * calls[0] + 4, "\(calls)")
  }

  /// Three saves of a child give three objects one name, and each object says that its name is
  /// taken.
  @Test func `of saves that refuse each other the oldest one stays`() throws {
    let bench = try Trial.bench()
    let parent = bench.child("Parent")
    let trials = (0..<3).map { number in
      let trial = Trial.create(in: parent)
      trial.name = "\(number)"
      return trial
    }
    try parent.saveAndWait(toPersistentStore: true)
    for trial in trials {
      trial.on("update") { trial in
        if trials.contains(where: { $0 !== trial && $0.name == trial.name }) { throw Trial.refusal }
      }
    }
    let child = bench.child("Child", of: parent)
    try child.performAndWait { local in
      for trial in try Trial.findAll(sortedBy: \.name, in: local) {
        trial.name = "same"
        try local.context.save()
      }
    }
    _ = try? parent.saveAndWait(toPersistentStore: true)
    let stored = try Trial.findAll(sortedBy: \.name, in: bench.committed()).map(\.name)
    #expect(stored == ["1", "2", "same"])
    withExtendedLifetime(trials) {}
  }

  @Test func `what comes back is taken in at one price, however much waits`() throws {
    let factory = RowFactory(try TestModels.people())
    func time(_ count: Int) throws -> Double {
      let arrivals = (1...Int64(count)).map { key in
        Arrival(
          changes: ChangeSet(
            UInt64(key), from: factory, inserted: [factory.row("Person", key)]), reason: .returned)
      }
      return try seconds {
        {
          let inbox = Inbox()
          for arrival in arrivals { inbox.append(arrival) }
        }
      }
    }
    let (few, many) = (try time(1_000), try time(8_000))
    #expect(many < 24 * few, "\(many / few) times as long for eight times as many")
  }

  @Test func `an object that was created anew many times is found at once`() {
    /// How often an ID is followed until the last one is found.
    func steps(_ count: Int) -> Int {
      func id(_ number: Int) -> ManagedObjectID {
        ManagedObjectID(key: Int64(number + 1), entityNumber: 1, storeNumber: 0)
      }
      var names = UndoNames()
      for number in 0..<count { names.replace(id(number), by: id(number + 1)) }
      var steps = 0
      for number in 0...count {
        let last = names.current(id(number)) { given in
          steps += 1
          return given
        }
        #expect(last == id(count))
      }
      return steps
    }
    let counted = [10, 20, 40].map(steps)
    #expect(counted[1] <= 2 * counted[0] && counted[2] <= 4 * counted[0], "\(counted)")
  }

  @Test func `an ID that was exchanged leads to what was created in its place`() {
    func id(_ key: Int64) -> ManagedObjectID {
      ManagedObjectID(key: key, entityNumber: 1, storeNumber: 0)
    }
    var names = UndoNames()
    names.replace(id(1), by: id(-2))
    // The provisional key becomes 2, and the object goes and comes again.
    names.replace(id(2), by: id(3))
    for first in [1, -2, 2, 3] {
      #expect(names.current(id(Int64(first))) { $0 == id(-2) ? id(2) : $0 } == id(3))
    }
    #expect(names.current(id(9)) { $0 } == id(9))
  }

  @Test func `saves of objects that become existing ones take time in proportion`() throws {
    func time(_ count: Int) throws -> Double {
      try seconds {
        let bench = try Glossary.bench()
        let parent = bench.child("Parent")
        let (first, second) = (bench.child("First", of: parent), bench.child("Second", of: parent))
        let child = bench.child("Child", of: second)
        for number in 0..<count {
          child.performAndWait { _ = Keyword.named("\(number)", in: $0.context) }
          try child.saveAndWait(
            toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
        }
        for number in 0..<count { Keyword.named("\(number)", in: first) }
        try first.saveAndWait(toPersistentStore: false)
        return {
          try second.saveAndWait(
            toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
          withExtendedLifetime((bench, child)) {}
        }
      }
    }
    let (few, many) = (try time(400), try time(3_200))
    #expect(many < 16 * few, "\(many / few) times as long for eight times as many")
  }

  /// A context and another one that has linked the same sitters with other chairs, and saved that.
  private func linked(_ count: Int) throws -> (Bench, ManagedObjectContext) {
    let bench = try Bench(model: Pairs.model())
    let maker = bench.child("Maker")
    for number in 0..<count { Sitter.create(in: maker).number = number }
    for number in 0..<(2 * count) { Chair.create(in: maker).number = number }
    try maker.saveAndWait(toPersistentStore: true)
    let (mine, other) = (bench.child("Mine"), bench.child("Other"))
    for (context, first) in [(mine, 0), (other, count)] {
      try context.performAndWait { local in
        let sitters = try Sitter.findAll(sortedBy: \.number, in: local)
        let chairs = try Chair.findAll(sortedBy: \.number, in: local)
        for (sitter, chair) in zip(sitters, chairs[first...]) { sitter.chair = chair }
      }
    }
    try other.saveAndWait(toPersistentStore: true)
    return (bench, mine)
  }

  @Test(arguments: [
    MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
  ])
  func `one-to-one conflicts are resolved in proportion`(_ policy: MergePolicy) throws {
    func time(_ count: Int) throws -> Double {
      try seconds {
        let (bench, mine) = try linked(count)
        return {
          try mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)
          withExtendedLifetime(bench) {}
        }
      }
    }
    let (few, many) = (try time(400), try time(1_600))
    #expect(many < 10 * few, "\(many / few) times as long for four times as many")
  }
}
