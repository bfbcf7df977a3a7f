import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Work on one object costs the same, however much else is unsaved.
@Suite(
  .againstHanging, .serialized,
  .enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time")) struct ManyObjectsTests
{
  /// The processor time that a block takes on the calling thread: the least of three times, because
  /// other tests disturb.
  private func time(_ prepare: () throws -> () -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<3 {
      let body = try prepare()
      let began = threadSeconds
      body()
      best = min(best, threadSeconds - began)
    }
    return best
  }

  private func measured(
    _ few: Int, _ many: Int, _ body: (Int) throws -> Double
  ) rethrows -> (Double, Double) { (try body(few), try body(many)) }

  /// A context with people who were changed in one event.
  private func edited(_ count: Int) throws -> (ManagedObjectContext, [Person]) {
    let bench = try Bench()
    let context = bench.child()
    let people = (0..<count).map { Person.named("\($0)", age: 0, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    context.performAndWait { _ in for person in people { person.age = 1 } }
    return (context, people)
  }

  @Test func `dropping the edits of many objects takes time in proportion`() throws {
    let (few, many) = try measured(300, 2_400) { count in
      try time {
        let (context, people) = try edited(count)
        return {
          context.performAndWait { local in
            for person in people {
              local.context.refresh(person, mergeChanges: false)
              precondition(person.age == 0)
            }
          }
        }
      }
    }
    // Eight times the work; 64 times as much where each refresh looks at all changes.
    #expect(many < 24 * few)
  }

  @Test func `a rollback of what many saves of children brought takes time in proportion`() throws {
    let (few, many) = try measured(250, 2_000) { count in
      try time {
        let bench = try Bench()
        let parent = bench.child("Parent")
        let child = bench.child("Child", of: parent)
        for number in 0..<count {
          Person.named("\(number)", in: child)
          try child.save()
        }
        return { parent.performAndWait { $0.context.rollback() } }
      }
    }
    #expect(many < 24 * few)
  }

  @Test func `asking whether an object is new costs the same beside many saves`() throws {
    let (few, many) = try measured(100, 1_600) { count in
      let bench = try Bench()
      let parent = bench.child("Parent")
      let person = Person.named("jack", in: parent)
      try parent.saveAndWait(toPersistentStore: true)
      let child = bench.child("Child", of: parent)
      for number in 0..<count {
        Person.named("\(number)", in: child)
        try child.save()
      }
      return time {
        {
          parent.performAndWait { _ in
            for _ in 0..<200 { precondition(!person.isInserted && !person.isUpdated) }
          }
        }
      }
    }
    // Sixteen times as many layers.
    #expect(many < 6 * few)
  }

  @Test func `a refresh takes edits back for everybody at the end of the event`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let jack = Person.named("jack", age: 1, in: parent)
    let jill = Person.named("jill", age: 1, in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    parent.performAndWait { _ in (jack.age, jill.age) = (2, 2) }
    try parent.performAndWait { local in
      local.context.refresh(jack, mergeChanges: false)
      #expect(jack.age == 1 && !jack.hasChanges && jill.isUpdated)
      jack.name = "john"
      #expect(jack.age == 1 && jack.isUpdated)
      let names = try Person.findAll(where: \.age == 2, in: local).map(\.name)
      let ages = try Person.findAll(where: \.name == "john", in: local).map(\.age)
      #expect(names == ["jill"] && ages == [1])
    }
    let child = bench.child("Child", of: parent)
    let ages = try child.performAndWait { local in
      try Person.findAll(sortedBy: \.name, in: local).map(\.age)
    }
    #expect(ages == [2, 1])
    try parent.saveAndWait(toPersistentStore: true)
    let stored = try bench.committed().performAndWait {
      try Person.findAll(sortedBy: \.name, in: $0).map { "\($0.name) \($0.age)" }
    }
    #expect(stored == ["jill 2", "john 1"])
  }

  @Test func `an object refreshed and deleted in one event is deleted once`() throws {
    let bench = try Bench()
    let context = bench.child()
    let jack = Person.named("jack", age: 1, in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.performAndWait { local in
      jack.age = 2
      local.context.refresh(jack, mergeChanges: false)
      jack.age = 3
      jack.delete()
      local.context.refresh(jack, mergeChanges: false)
      jack.delete()
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try bench.committed().performAndWait { try Person.count(in: $0) } == 0)
  }

  @Test func `a context whose only edit was refreshed has no changes`() throws {
    let bench = try Bench()
    let context = bench.child()
    let jack = Person.named("jack", age: 1, in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.performAndWait { local in
      jack.age = 2
      #expect(local.hasChanges)
      local.context.refresh(jack, mergeChanges: false)
      #expect(!local.hasChanges && jack.age == 1)
    }
    context.performAndWait { _ in jack.age = 2 }
    context.performAndWait { local in
      local.context.refresh(jack, mergeChanges: false)
      #expect(!local.hasChanges)
    }
  }

  @Test func `asking for many of one kind by their numbers takes time in proportion`() throws {
    let (few, many) = try measured(300, 2_400) { count in
      try time {
        let context = try Glossary.bench().child()
        return {
          for number in 0..<count {
            let found = try? Keyword.findOrCreate((\.kind, "a"), (\.order, number), in: context)
            precondition(found?.order == number)
          }
        }
      }
    }
    #expect(many < 24 * few, "\(many / few) times as long for eight times as many")
  }

  /// Saves creatures whose hook asks each for its changes.
  /// - Parameter change: Changes them all.
  private func hooked(
    _ count: Int, _ hook: @escaping (Creature) -> Void, _ change: @escaping ([Creature]) -> Void
  ) throws -> Double {
    try time {
      let bench = try Creature.bench(.memory)
      let context = bench.child()
      let creatures = (0..<count).map { Creature.named("\($0)", in: context) }
      try context.saveAndWait(toPersistentStore: true)
      bench.tale.on("willSave", hook)
      change(creatures)
      return {
        do { try context.save() } catch { Issue.record(error) }
      }
    }
  }

  @Test func `asking each object of a save for its changes takes time in proportion`() throws {
    let (few, many) = try measured(300, 2_400) { count in
      try hooked(count) { creature in
        precondition(creature.changedValues()["name"] != nil)
        precondition(creature.changedValuesForCurrentEvent()["pets"] == nil)
        if creature.count == 7 { creature.count = 8 }
      } _: { creatures in
        for creature in creatures { creature.name += "!" }
      }
    }
    #expect(many < 24 * few, "\(many / few) times as long for eight times as many")
  }

  @Test func `so it does where to-many relationships were changed`() throws {
    let (few, many) = try measured(300, 2_400) { count in
      try hooked(count) { creature in
        let changes = creature.changedValues()
        precondition(changes["pets"] != nil && changes["owner"] != nil)
        if creature.count == 7 { creature.count = 8 }
      } _: { creatures in
        for (pet, owner) in zip(creatures, creatures.dropFirst() + creatures.prefix(1)) {
          pet.owner = owner
        }
      }
    }
    #expect(many < 24 * few, "\(many / few) times as long for eight times as many")
  }
}
