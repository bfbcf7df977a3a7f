import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import TestSupport
import Testing

/// Is created beside objects whose `deinit` takes it out of the context.
@Entity final class Shard: ManagedObject {
  var number: Int
}

/// Has its context forget what was created, or everything, when it is freed.
@Entity final class Bomb: ManagedObject {
  var number: Int

  enum Effect { case none, rollback, reset }
  static let effect = Locked(Effect.none)

  deinit {
    switch Self.effect.withLock({ $0 }) {
    case .none: break
    case .rollback: managedObjectContext?.rollback()
    case .reset: managedObjectContext?.reset()
    }
  }
}

/// What nobody holds any more leaves the context soon, also if no objects come in its place.
@Suite(.againstHanging, .serialized) struct SweepPartTests {
  private let count = 12_000

  @Test func `objects that are let go of after a sweep leave within a few events`() throws {
    let bench = try Bench(.file)
    let maker = bench.child("Maker")
    for number in 0..<count { Person.named("jack \(number)", age: number, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child()
    var held = try context.performAndWait { try Person.findAll(in: $0) }
    #expect(held.count == count)
    context.performAndWait { #expect($0.context.registeredObjects.count == count) }
    held = []
    for _ in 0..<10 { context.performAndWait { _ in } }
    context.performAndWait { #expect($0.context.registeredObjects.isEmpty) }
  }

  @Test func `those that somebody holds stay however often parts are looked at`() throws {
    let bench = try Bench(.file)
    let maker = bench.child("Maker")
    for number in 0..<count { Person.named("jack \(number)", age: number, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child()
    var held = try context.performAndWait { try Person.findAll(sortedBy: \.age, in: $0) }
    context.performAndWait { _ in }
    held = context.performAndWait { _ in held.filter { $0.age % 1_000 == 0 } }
    for _ in 0..<300 { context.performAndWait { _ in } }
    context.performAndWait { local in
      #expect(local.context.registeredObjects.count == held.count)
      #expect(held.map(\.name) == stride(from: 0, to: count, by: 1_000).map { "jack \($0)" })
    }
  }

  @Test(arguments: [Bomb.Effect.rollback, .reset])
  func `a deinit may empty the page that is being swept`(_ effect: Bomb.Effect) throws {
    let bench = try Bench(model: ManagedObjectModel(Bomb.self, Shard.self))
    let maker = bench.child("Maker")
    let ids = (0..<40).map { number in
      let bomb = Bomb.create(in: maker)
      bomb.number = number
      return bomb.objectID
    }
    try maker.save()
    Bomb.effect.withLock { $0 = effect }
    defer { Bomb.effect.withLock { $0 = .none } }
    for id in ids {
      let context = bench.child()
      try context.performAndWait { local in
        _ = try local.existingObject(with: id)
        for number in 0..<20 { Shard.create(in: local.context).number = number }
        local.processPendingChanges()
      }
      context.performAndWait { #expect(!$0.hasChanges && $0.context.registeredObjects.isEmpty) }
    }
    withExtendedLifetime(maker) {}
  }
}
