import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// A hook may do to its context what it may do elsewhere, but save it.
@Suite(.againstHanging) struct ReentrancyTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Creature.bench()
    context = bench.child("A")
  }

  @Test(arguments: [
    "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "prepareForDeletion",
    "willTurnIntoFault", "didTurnIntoFault", "awakeFromSnapshotEvents",
  ])
  func `a save in a hook is refused, and what was going on goes on`(_ hook: String) throws {
    let ids = try bench.creatures("a", "b")
    var errors: [CauldronError] = []
    bench.tale.on(hook) { object in
      guard let context = object.managedObjectContext else { return }
      let error = cauldronError { try context.save() }
      errors += [error].compactMap(\.self)
    }
    let all = try ids.map { try #require(try Creature.find($0, in: context)) }
    _ = Creature.create(in: context)
    all[0].name = "x"
    context.refresh(all[0], mergeChanges: true)
    context.refresh(all[1], mergeChanges: false)
    all[1].delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(!errors.isEmpty && errors.allSatisfy { $0.code == .validationFailed })
    let place = ["willSave", "didSave"].contains(hook) ? ", which is part of a save." : "."
    let shown = hook + (hook == "awakeFromSnapshotEvents" ? "(_:)" : "()")
    #expect(errors.first?.message == "Cannot save \"A\" while \(shown) of Creature runs\(place)")
    #expect(
      try Creature.findAll(sortedBy: \.name, in: bench.committed()).map(\.name) == ["new", "x"])
  }

  @Test func `hooks may fetch, create and delete`() throws {
    let ids = try bench.creatures("a", "b", "c")
    let tale = bench.tale
    tale.on("awakeFromFetch") { object in
      guard object.name == "a" else { return }
      #expect((try? Creature.count(in: context)) != nil)
      Creature.named("made", in: context)
      (try? Creature.find(ids[1], in: context))?.delete()
    }
    #expect(try Creature.find(ids[0], in: context)?.name == "a")
    let names = try Creature.findAll(sortedBy: \.name, in: context).map(\.name)
    #expect(names == ["a", "c", "made"])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Creature.count(in: bench.committed()) == 3)
  }

  @Test func `an object may delete itself where it awakes`() throws {
    let ids = try bench.creatures("a", "b")
    bench.tale.on("awakeFromFetch") { if $0.name == "a" { $0.delete() } }
    let fault = try #require(context.object(with: ids[0]) as? Creature)
    #expect(fault.name == "a" && fault.isDeleted)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Creature.findAll(in: bench.committed()).map(\.name) == ["b"])
  }

  @Test func `objects that delete each other are told once each`() throws {
    let ids = try bench.creatures("a", "b")
    let all = try ids.map { try #require(try Creature.find($0, in: context)) }
    var told: [String] = []
    bench.tale.on("prepareForDeletion") { object in
      told.append(object.name)
      for other in all { other.delete() }
    }
    all[0].delete()
    #expect(told == ["a", "b"] && all.allSatisfy { $0.isDeleted })
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Creature.count(in: bench.committed()) == 0)
  }

  @Test func `objects that have each other told again for ever are left alone at last`() throws {
    let ids = try bench.creatures("a", "b")
    let all = try ids.map { try #require(try Creature.find($0, in: context)) }
    #expect(all.map(\.name) == ["a", "b"])
    bench.tale.on("awakeFromSnapshotEvents") { object in
      for other in all where other !== object { context.refresh(other, mergeChanges: true) }
    }
    context.refresh(all[0], mergeChanges: true)
    context.processPendingChanges()
    #expect(all.map(\.name) == ["a", "b"])
    #expect(bench.log.lines.contains { $0.message.contains("after 100 rounds") })
  }

  @Test func `didSave may change the object, which is saved by the next save`() throws {
    let object = Creature.create(in: context)
    bench.tale.on("didSave") { if $0.count == 7 { $0.count = 8 } }
    try context.save()
    #expect(context.hasChanges && object.changedValues()["count"] as? Int == 8)
    try context.saveAndWait(toPersistentStore: true)
    #expect(!context.hasChanges)
    #expect(try Creature.findFirst(in: bench.committed())?.count == 8)
  }

  @Test func `a hook that changes objects for ever is an error, and nothing is lost`() throws {
    let object = Creature.named("a", in: context)
    bench.tale.on("willSave") { $0.count += 1 }
    let error = cauldronError { try context.save() }
    #expect(error?.code == .validationFailed && error?.objectIDs == [object.objectID])
    let key = object.objectID.uriRepresentation.lastPathComponent
    #expect(
      error?.message
        == "Cannot save \"A\": willSave() still changes Creature \(key) after 100 rounds.")
    #expect(object.isInserted && object.count == 107)
    bench.tale.on("willSave") { _ in }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Creature.findFirst(in: bench.committed())?.count == 107)
  }
}
