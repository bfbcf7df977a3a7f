import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What is said of an object at whose to-many relationship objects came, went or moved.
@Suite(.againstHanging, .ownThread) struct ToldOwnerTests {
  /// How a relationship of a creature is changed.
  enum Change: CaseIterable { case reference, insertion, link }

  /// A saved owner, and a change that makes it the owner of another creature.
  private func owner() throws -> (Bench, ManagedObjectContext, Creature) {
    let bench = try Creature.bench()
    let context = bench.child()
    let owner = Creature.named("owner", in: context)
    try context.saveAndWait(toPersistentStore: true)
    _ = bench.tale.take()
    return (bench, context, owner)
  }

  private func make(_ change: Change, _ owner: Creature, in context: ManagedObjectContext) {
    let other = Creature.named("other", in: context)
    switch change {
    case .reference: other.owner = owner
    case .insertion: owner.pets.insert(other)
    case .link: owner.friends.insert(other)
    }
  }

  @Test(arguments: Change.allCases)
  func `the owner of a changed relationship has changes`(_ change: Change) throws {
    let (bench, context, owner) = try owner()
    defer { withExtendedLifetime(bench) {} }
    make(change, owner, in: context)
    #expect(!owner.changedValues().isEmpty)
    #expect(owner.hasChanges)
    #expect(owner.isUpdated)
    #expect(context.updatedObjects.contains(owner))
  }

  @Test(arguments: Change.allCases)
  func `the owner of a changed relationship is asked before it is saved`(
    _ change: Change
  ) throws {
    let (bench, context, owner) = try owner()
    make(change, owner, in: context)
    let calls = Locked<[String]>([])
    for hook in ["willSave", "validateForUpdate"] {
      bench.tale.on(hook) { creature in
        if creature === owner { calls.withLock { $0.append(hook) } }
      }
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(calls.withLock { Set($0) }.contains("willSave"))
    #expect(calls.withLock { Set($0) }.contains("validateForUpdate"))
  }

  @Test func `an owner that a hook has touched is asked, and one that it has left is right`() throws
  {
    let (bench, context, owner) = try owner()
    let other = Creature.named("other", in: context)
    let pet = Creature.named("pet", in: context)
    try context.saveAndWait(toPersistentStore: true)
    pet.owner = owner
    let asked = Locked<[String]>([])
    bench.tale.on("validateForUpdate") { creature in
      asked.withLock { $0.append(creature.name) }
      if creature === pet { creature.owner = other }
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(asked.withLock { $0.contains("other") && $0.contains("pet") })
    #expect(pet.owner === other && owner.pets.isEmpty)
  }

  @Test(arguments: Change.allCases)
  func `a list tells of an owner whose relationship has changed`(_ change: Change) throws {
    let bench = try Creature.bench(.memory)
    let witness = Witness<Creature>()
    let (list, owner) = try bench.onMain { main in
      let owner = Creature.named("owner", in: main)
      try main.saveAndWait(toPersistentStore: true)
      let list = FetchedResultsController(Creature.where(\.name == "owner"), in: main)
      list.delegate = witness
      try list.performFetchAndWait()
      return (Lent(list), Lent(owner))
    }
    try list.value.settleAndWait()
    bench.onMain { main in
      owner.value.count += 1
      main.processPendingChanges()
    }
    try list.value.settleAndWait()
    #expect(comesTrueSoon { bench.onMain { _ in witness.names.count == 1 } })
    bench.onMain { main in
      make(change, owner.value, in: main)
      main.processPendingChanges()
    }
    try list.value.settleAndWait()
    bench.settleMain()
    #expect(bench.onMain { _ in witness.names.count } == 2)
  }

  /// A list of saved owners, and its delegate.
  private func shown(
    _ bench: Bench
  ) throws -> (Lent<FetchedResultsController<Creature>>, Witness<Creature>, ManagedObjectID) {
    let witness = Witness<Creature>()
    let (list, id) = try bench.onMain { main in
      let owner = Creature.named("owner", in: main)
      for name in ["owner 2", "owner 3"] { Creature.named(name, in: main) }
      try main.saveAndWait(toPersistentStore: true)
      let list = FetchedResultsController(
        Creature.where(.beginsWith(\.name, "owner")).sorted(by: \.name), in: main)
      list.delegate = witness
      try list.performFetchAndWait()
      return (Lent(list), owner.objectID)
    }
    try list.value.settleAndWait()
    return (list, witness, id)
  }

  @Test(arguments: Change.allCases, StoreKind.allCases)
  func `a list tells once of an owner that another context has touched`(
    _ change: Change, _ kind: StoreKind
  ) throws {
    let bench = try Creature.bench(kind)
    let (list, witness, id) = try shown(bench)
    let context = bench.child()
    make(change, try #require(try Creature.find(id, in: context)), in: context)
    try context.saveAndWait(toPersistentStore: true)
    try list.value.settleAndWait()
    bench.settleMain()
    #expect(bench.onMain { _ in witness.names } == ["owner"])
    // On its way to the store the change is seen already.
    try bench.root.saveAndWait(toPersistentStore: true)
    try list.value.settleAndWait()
    bench.settleMain()
    #expect(bench.onMain { _ in witness.names } == ["owner"])
  }

  @Test func `a list tells of both owners between which an object moves`() throws {
    let bench = try Creature.bench(.memory)
    let (list, witness, id) = try shown(bench)
    let context = bench.child()
    let owner = try #require(try Creature.find(id, in: context))
    let pet = Creature.named("pet", in: context)
    pet.owner = owner
    try context.saveAndWait(toPersistentStore: true)
    try list.value.settleAndWait()
    bench.settleMain()
    bench.onMain { _ in witness.names = [] }
    pet.owner = try Creature.findFirst(\.name, "owner 3", in: context)
    pet.count += 1
    try context.saveAndWait(toPersistentStore: true)
    try list.value.settleAndWait()
    bench.settleMain()
    #expect(bench.onMain { _ in witness.names.sorted() } == ["owner", "owner 3"])
    bench.onMain { _ in witness.names = [] }
    pet.count += 1
    try context.saveAndWait(toPersistentStore: true)
    try list.value.settleAndWait()
    bench.settleMain()
    #expect(bench.onMain { _ in witness.names } == [])
  }

  @Test func `a list tells of an owner whose member is deleted, or comes back`()
    throws
  {
    let bench = try Creature.bench(.memory)
    let (list, witness, id) = try shown(bench)
    let context = bench.child(of: bench.mainContext)
    let pet = Creature.named("pet", in: context)
    pet.owner = try Creature.find(id, in: context)
    try context.saveAndWait(toPersistentStore: true)
    try list.value.settleAndWait()
    bench.settleMain()
    bench.onMain { main in
      witness.names = []
      main.object(with: pet.objectID).delete()
      main.processPendingChanges()
    }
    try list.value.settleAndWait()
    #expect(bench.onMain { _ in witness.names } == ["owner"])
    bench.onMain { main in main.rollback() }
    try list.value.settleAndWait()
    bench.settleMain()
    #expect(bench.onMain { _ in witness.names } == ["owner", "owner"])
  }

  /// Counts the updates that a list tells of.
  private final class Witness<Object: ManagedObject>: FetchedResultsControllerDelegate {
    var names: [String] = []

    func controller(
      _ controller: FetchedResultsController<Object>, didChange object: Object,
      at path: ListPath?, for type: FetchedResultsChangeType, newPath: ListPath?
    ) {
      guard type == .update else { return }
      names.append((object as? Creature)?.name ?? "")
    }
  }

  @Test func `a list tells of an owner whose members change their order`() throws {
    let bench = try Bench(model: Radio.model())
    let witness = Witness<Playlist>()
    let (list, playlist) = try bench.onMain { main in
      let playlist = Playlist.named("list", in: main)
      for title in ["a", "b"] { Track.titled(title, on: playlist, in: main) }
      try main.saveAndWait(toPersistentStore: true)
      let list = FetchedResultsController(Playlist.where(\.name == "list"), in: main)
      list.delegate = witness
      try list.performFetchAndWait()
      return (Lent(list), Lent(playlist))
    }
    try list.value.settleAndWait()
    bench.onMain { main in
      playlist.value.tracks.move(from: 1, to: 0)
      main.processPendingChanges()
      #expect(playlist.value.titles == "ba")
    }
    try list.value.settleAndWait()
    bench.settleMain()
    #expect(bench.onMain { _ in witness.names.count } == 1)
  }
}
