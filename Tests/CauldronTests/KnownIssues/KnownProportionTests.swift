import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Work that grows with the number of objects, and not with its square.
@Suite(
  .againstHanging, .ownThread, .serialized,
  .enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time")) struct KnownProportionTests
{
  /// How many times longer four times the work takes: about four in proportion, 16 where each part
  /// looks at all others. The least of some rounds, because other tests disturb.
  /// - Parameter isElsewhere: Whether another thread does the work, which the caller waits for;
  ///   otherwise the processor time of the calling thread counts.
  private func growth(
    from count: Int, rounds: Int = 3, isElsewhere: Bool = false,
    _ prepare: (Int) throws -> () throws -> Void
  ) throws -> Double {
    var least = Double.infinity
    // Another test may disturb all rounds of one of the two.
    for _ in 0..<4 where least >= limit {
      least = min(least, try growthOnce(from: count, rounds, isElsewhere, prepare))
    }
    return least
  }

  private func growthOnce(
    from count: Int, _ rounds: Int, _ isElsewhere: Bool,
    _ prepare: (Int) throws -> () throws -> Void
  ) throws -> Double {
    func time(_ count: Int) throws -> Double {
      var best = Double.infinity
      for _ in 0..<rounds {
        let body = try prepare(count)
        let (began, start) = (threadSeconds, ContinuousClock.now)
        try body()
        let waited = start.duration(to: .now) / .seconds(1)
        best = min(best, isElsewhere ? waited : threadSeconds - began)
      }
      return best
    }
    return try time(4 * count) / time(count)
  }

  /// What is more than in proportion for certain.
  private let limit = 7.0

  private func people(_ count: Int, in context: ManagedObjectContext) throws -> [Person] {
    let people = (0..<count).map { Person.named("\($0)", age: $0, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    return people
  }

  @Test func `an owner that each new member asks for changes answers in proportion`() throws {
    let growth = try growth(from: 1_000) { count in
      let bench = try Creature.bench(.memory)
      let context = bench.child()
      let owner = Creature.named("owner", in: context)
      try context.saveAndWait(toPersistentStore: true)
      return {
        context.performAndWait { local in
          for _ in 0..<count {
            Creature.named("pet", in: local.context).owner = owner
            if !owner.hasChanges { Issue.record("the owner has no changes") }
          }
        }
        withExtendedLifetime(bench) {}
      }
    }
    #expect(growth < limit)
  }

  @Test func `refreshing edited objects one by one takes time in proportion`() throws {
    let growth = try growth(from: 250) { count in
      let bench = try Bench()
      let context = bench.child()
      let people = try people(count, in: context)
      context.performAndWait { _ in for person in people { person.age += 1 } }
      return {
        context.performAndWait { local in
          for person in people { local.context.refresh(person, mergeChanges: true) }
        }
      }
    }
    #expect(growth < limit)
  }

  @Test func `refreshing edited objects that others have changed takes time in proportion`() throws
  {
    let growth = try growth(from: 250) { count in
      let bench = try Bench()
      let context = bench.child()
      let people = try people(count, in: context)
      context.performAndWait { _ in for person in people { person.age += 1 } }
      try bench.stack.saveAndWait { local in
        for person in try Person.findAll(in: local) { person.name += "x" }
      }
      return {
        context.performAndWait { local in
          for person in people { local.context.refresh(person, mergeChanges: true) }
        }
      }
    }
    #expect(growth < limit)
  }

  @Test func `dropping edits one by one takes time in proportion where a child exists`() throws {
    let growth = try growth(from: 500) { count in
      let bench = try Bench()
      let context = bench.child()
      let child = bench.child("Child", of: context)
      let people = try people(count, in: context)
      context.performAndWait { _ in for person in people { person.age += 1 } }
      return {
        context.performAndWait { local in
          for person in people { local.context.refresh(person, mergeChanges: false) }
        }
        withExtendedLifetime(child) {}
      }
    }
    #expect(growth < limit)
  }

  /// A parent with the saves of a child, one for each person, all of which are in conflict at the
  /// root.
  private func conflicting(
    _ count: Int
  ) throws -> (bench: Bench, parent: ManagedObjectContext, child: ManagedObjectContext) {
    let bench = try Bench()
    let parent = bench.child("Parent")
    _ = try people(count, in: parent)
    let child = bench.child("Child", of: parent)
    try child.performAndWait { local in
      for person in try Person.findAll(in: local) {
        person.age += 1
        try local.context.save()
      }
    }
    let other = bench.child("Other")
    try other.performAndWait { local in
      for person in try Person.findAll(in: local) { person.age += 10 }
    }
    try other.saveAndWait(toPersistentStore: true)
    return (bench, parent, child)
  }

  @Test func `refused saves go back in proportion`() throws {
    let growth = try growth(from: 300, rounds: 1) { count in
      let (bench, parent, child) = try conflicting(count)
      return {
        _ = try? parent.saveAndWait(toPersistentStore: true)
        withExtendedLifetime((bench, child)) {}
      }
    }
    #expect(growth < limit)
  }

  @Test func `a context takes in its returned saves in proportion`() throws {
    let growth = try growth(from: 300, rounds: 1, isElsewhere: true) { count in
      let (bench, parent, child) = try conflicting(count)
      _ = try? parent.saveAndWait(toPersistentStore: true)
      return {
        child.performAndWait { local in precondition(local.hasChanges) }
        withExtendedLifetime(bench) {}
      }
    }
    #expect(growth < limit)
  }

  @Test func `many saves of a child that wait are written in proportion`() throws {
    let growth = try growth(from: 1_000, rounds: 1) { count in
      let bench = try Bench(.file)
      let parent = bench.child("Parent")
      let child = bench.child("Child", of: parent)
      try child.performAndWait { local in
        for number in 0..<count {
          Person.named("\(number)", in: local.context)
          try local.context.save()
        }
      }
      return {
        try parent.saveAndWait(toPersistentStore: true)
        withExtendedLifetime((bench, child)) {}
      }
    }
    #expect(growth < limit)
  }

  @Test func `saves of objects that the store has by now take time in proportion`() throws {
    let policy = MergePolicy.mergeByPropertyObjectTrump
    let growth = try growth(from: 100, rounds: 2) { count in
      let bench = try Glossary.bench()
      let (first, second) = (bench.child("First"), bench.child("Second"))
      let child = bench.child("Child", of: second)
      for number in 0..<count {
        child.performAndWait { _ = Keyword.named("\(number)", in: $0.context) }
        try child.saveAndWait(toPersistentStore: false, mergePolicy: policy)
      }
      for number in 0..<count { Keyword.named("\(number)", in: first) }
      try first.saveAndWait(toPersistentStore: true)
      return {
        try second.saveAndWait(toPersistentStore: true, mergePolicy: policy)
        withExtendedLifetime((bench, child)) {}
      }
    }
    #expect(growth < limit)
  }

  @Test func `contexts that merge are made and dropped in proportion`() throws {
    let growth = try growth(from: 500) { count in
      let bench = try Bench()
      return {
        let contexts = (0..<count).map { _ in
          let context = bench.child()
          context.automaticallyMergesChangesFromParent = true
          return context
        }
        withExtendedLifetime(contexts) {}
      }
    }
    #expect(growth < limit)
  }

  @Test func `contexts with changes are dropped together in proportion, a second time, too`() throws
  {
    let growth = try growth(from: 1_000) { count in
      let bench = try Bench()
      func makeAndDrop() {
        let contexts = (0..<count).map { number in
          let context = bench.child()
          context.performAndWait { _ = Person.named("\(number)", in: $0.context) }
          return context
        }
        withExtendedLifetime(contexts) {}
      }
      makeAndDrop()
      return { makeAndDrop() }
    }
    #expect(growth < limit)
  }
}
