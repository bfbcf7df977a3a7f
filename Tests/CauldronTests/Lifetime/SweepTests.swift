import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Dispatch
import TestSupport
import Testing

/// Counts its objects that were freed, and on which threads.
@Entity class Mortal: ManagedObject {
  var number: Int

  static let ends = Locked<[UInt: Int]>([:])

  deinit { Mortal.ends.withLock { $0[Scheduler.thread, default: 0] += 1 } }
}

@Entity final class Heir: Mortal {
  var share: Int
}

@Suite(.againstHanging) struct SweepTests {
  private let count = 6_000

  private func filledBench() throws -> Bench {
    let bench = try Bench(.file)
    let maker = bench.child("Maker", of: bench.root)
    for number in 0..<count { Person.named("jack \(number)", age: number, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    return bench
  }

  @Test func `the memory of many objects that nobody holds is freed`() async throws {
    let bench = try filledBench()
    let context = bench.child()
    let memory = try await context.perform { local in
      WeakBlock(try Person.findAll(sortedBy: \.age, in: local)[0])
    }
    await context.perform { local in #expect(local.context.registeredObjects.isEmpty) }
    #expect(memory.block == nil)
  }

  @Test func `those of many objects that somebody holds stay as they are`() throws {
    let bench = try filledBench()
    let context = bench.child()
    let held = try context.performAndWait { local in
      try Person.findAll(sortedBy: \.age, in: local).filter { $0.age % 7 == 0 }
    }
    context.performAndWait { local in
      #expect(local.context.registeredObjects.count == held.count)
      #expect(held.map(\.age) == stride(from: 0, to: count, by: 7).map { $0 })
      #expect(held.allSatisfy { $0.name == "jack \($0.age)" })
      withExtendedLifetime(held) {}
    }
  }

  @Test func `a weak reference to one of many objects ends with the block`() throws {
    let bench = try filledBench()
    let context = bench.child()
    let weak = try context.performAndWait { local in
      try Person.findAll(sortedBy: \.age, in: local).prefix(500).map(WeakObject.init)
    }
    #expect(weak.count == 500 && weak.allSatisfy { $0.object == nil })
    context.performAndWait { local in #expect(local.context.registeredObjects.isEmpty) }
  }

  @Test func `a deinit may ask for objects that the same sweep drops`() throws {
    let bench = try Bench(.file, model: ManagedObjectModel(Caller.self, Callee.self))
    let maker = bench.child("Maker", of: bench.root)
    let callees = (0..<count / 2).map { number in
      let callee = Callee.create(in: maker)
      callee.number = number
      Caller.create(in: maker).number = number
      return callee.objectID
    }
    try maker.saveAndWait(toPersistentStore: true)
    Caller.callees.withLock { $0 = callees }
    let context = bench.child()
    let fetched = try context.performAndWait { local in
      let callees = try Callee.findAll(in: local)
      return try callees.count + Caller.findAll(in: local).count
    }
    #expect(fetched == 2 * (count / 2))
    #expect(Caller.found.withLock { $0 } == count / 2)
    try context.performAndWait { local in
      let found = try Callee.findAll(sortedBy: \.number, in: local)
      #expect(found.map(\.number) == Array(0..<count / 2))
    }
  }

  @Test func `many objects are freed where the block ran`() throws {
    let bench = try Bench(model: ManagedObjectModel(Mortal.self, Heir.self))
    let maker = bench.child()
    for number in 0..<count / 2 {
      Mortal.create(in: maker).number = number
      let heir = Heir.create(in: maker)
      (heir.number, heir.share) = (number, number)
    }
    try maker.save()
    let context = bench.child()
    Mortal.ends.withLock { $0 = [:] }
    let fetched = try context.performAndWait { try Mortal.findAll(in: $0).count }
    #expect(fetched == count)
    #expect(Mortal.ends.withLock { $0 } == [Scheduler.thread: count])
    withExtendedLifetime(maker) {}
  }

  @Test func `a reset lets go of many objects`() throws {
    let bench = try filledBench()
    let context = bench.child()
    let memory = try context.performAndWait { local in
      let memory = WeakBlock(try Person.findAll(sortedBy: \.age, in: local)[0])
      local.context.reset()
      #expect(local.context.registeredObjects.isEmpty)
      return memory
    }
    #expect(memory.block == nil)
  }
}

/// Asks for another object when it is freed.
@Entity final class Caller: ManagedObject {
  var number: Int

  static let callees = Locked<[ManagedObjectID]>([])
  static let found = Locked(0)

  deinit {
    let known = Self.callees.withLock { $0.indices.contains(number) ? $0[number] : nil }
    guard let id = known else { return }
    let callee = try? managedObjectContext?.existingObject(with: id) as? Callee
    if callee?.number == number { Self.found.withLock { $0 += 1 } }
  }
}

@Entity final class Callee: ManagedObject {
  var number: Int
}

/// The memory that an object's row lies in.
///
/// `@unchecked Sendable` because a weak reference that is never written again may be read anywhere.
private final class WeakBlock: @unchecked Sendable {
  private(set) weak var block: AnyObject?

  init(_ object: ManagedObject) { block = RowPointer(object.row).block }
}

private struct WeakObject {
  weak var object: ManagedObject?
}
