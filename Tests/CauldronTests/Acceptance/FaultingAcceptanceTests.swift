import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport
import Testing

/// What Apple's framework was seen to do where objects are read anew, looked up and let go of.
@Suite(.againstHanging) struct FaultingAcceptanceTests {
  private let bench: Bench
  private let id: ManagedObjectID

  init() throws {
    bench = try Witness.bench(.file) { $0.logger.logLevel = .trace }
    let maker = bench.child()
    id = Witness.named("old", in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
  }

  private func witness(in context: some ObjectContext) throws -> Witness {
    try #require(try Witness.find(id, in: context))
  }

  /// Has another context of the stack change the object in the file.
  private func change(_ edit: (Witness) -> Void) throws {
    let other = bench.committed()
    edit(try witness(in: other))
    try other.save()
  }

  /// Has another program change the object in the file.
  private func changeOutside(_ assignment: String) throws {
    let file = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(file.run("UPDATE ZWITNESS SET \(assignment), Z_OPT = Z_OPT + 1"))
  }

  /// The changes that a context tells of while a block runs.
  private func changes(
    of context: ManagedObjectContext, _ body: () throws -> Void
  ) rethrows -> [ContextChange] {
    let all = Locked<[ContextChange]>([])
    let observation = context.observe { change in all.withLock { $0.append(change) } }
    defer { observation.cancel() }
    try body()
    return all.withLock { $0 }
  }

  @Test(arguments: [false, true])
  func
    `acceptance 8: a refresh that drops the edits leaves a fault, which is told before and after`(
      _ isPublished: Bool
    ) throws
  {
    let bench = try Creature.bench()
    let context = bench.committed()
    let object = try #require(try Creature.find(bench.creatures("old")[0], in: context))
    object.name = "edited"
    if isPublished { context.processPendingChanges() }
    _ = bench.tale.take()
    context.refresh(object, mergeChanges: false)
    #expect(object.isFault && !object.hasChanges && !context.hasChanges)
    let told = bench.tale.take().map { $0.split(separator: " ").last }
    #expect(told == ["willTurnIntoFault", "didTurnIntoFault"])
    #expect(object.name == "old")
  }

  @Test(arguments: [false, true])
  func `acceptance 9: a merging refresh keeps the edits, and their save has no conflict`(
    _ isPublished: Bool
  ) throws {
    let context = bench.child()
    let object = try witness(in: context)
    object.name = "mine"
    if isPublished { context.processPendingChanges() }
    try change { ($0.name, $0.count) = ("theirs", 9) }
    context.refresh(object, mergeChanges: true)
    #expect(object.name == "mine" && object.count == 9)
    #expect(Array(object.changedValues().keys) == ["name"])
    try context.saveAndWait(toPersistentStore: true)
    let stored = try witness(in: bench.committed())
    #expect(stored.name == "mine" && stored.count == 9)
  }

  @Test(arguments: [false, true])
  func
    `acceptance 10: all objects are refreshed and told of at once, the clean ones without transients`(
      _ isPublished: Bool
    ) throws
  {
    let maker = bench.child()
    let ids = (0..<20).map { Witness.named("\($0)", in: maker).objectID }
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Reader")
    let all = try ids.map { try #require(try Witness.find($0, in: context)) }
    for object in all { object.calls = ["here"] }
    for object in all.prefix(12) { object.name += "!" }
    let doomed = all[12]
    doomed.delete()
    let created = Witness.named("new", in: context)
    context.processPendingChanges()
    if !isPublished { for object in all.prefix(3) { object.name += "?" } }
    try changeOutside("ZNAME = 'theirs', ZCOUNT = 11")
    let told = changes(of: context) {
      context.refreshAllObjects()
      context.processPendingChanges()
    }.filter { !$0.refreshed.isEmpty }
    #expect(told.map(\.kind) == [.objectsDidChange])
    #expect(Set(told[0].refreshed) == Set(ids).subtracting([doomed.objectID]))
    for (number, object) in all.prefix(12).enumerated() {
      #expect(object.name == "\(number)!" + (!isPublished && number < 3 ? "?" : ""))
      #expect(object.count == 11 && object.calls == ["here"])
    }
    #expect(all[13...].allSatisfy { $0.isFault })
    #expect(all[13...].allSatisfy { $0.calls.isEmpty && $0.name == "theirs" && $0.count == 11 })
    #expect(doomed.isDeleted && created.isInserted && created.name == "new")
    try context.saveAndWait(toPersistentStore: true)
    let names = try Witness.findAll(in: bench.committed()).map(\.name)
    #expect(names.count == 21 && names.count { $0 == "theirs" } == 8)
  }

  // Apple's framework shows the value of its cache here, unless a program asks it not to. It does not
  // so here: an object must have the value by which a fetch has found it, and nobody can know how old
  // a value may be that another process has replaced. So a refresh always reads the file.
  @Test(arguments: [false, true])
  func `acceptance 11, changed: a refresh after a change from outside shows the new value`(
    _ mergeChanges: Bool
  ) throws {
    let context = bench.child()
    let object = try witness(in: context)
    #expect(object.name == "old")
    try changeOutside("ZNAME = 'new'")
    #expect(object.name == "old", "nobody has asked for it")
    context.refresh(object, mergeChanges: mergeChanges)
    #expect(object.name == "new")
    try changeOutside("ZNAME = 'newer'")
    #expect(try Witness.findAll(where: \.name == "newer", in: context).map(\.name) == ["newer"])
    #expect(object.name == "newer")
  }

  @Test
  func `acceptance 12: who is clean and not held leaves at the block's end, who is not stays`()
    throws
  {
    let bench = try Bench(.file)
    let maker = bench.child()
    for number in 0..<100 { Person.named("\(number)", in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Reader")
    try context.performAndWait { local in
      let all = try Person.findAll(sortedBy: \.name, in: local)
      #expect(local.context.registeredObjects.count == 100)
      all[0].name = "changed"
      all[1].delete()
      Person.named("created", in: local.context)
    }
    context.performAndWait { local in
      #expect(local.context.registeredObjects.count == 3)
      #expect(local.context.updatedObjects.count == 1 && local.context.deletedObjects.count == 1)
      #expect(local.context.insertedObjects.count == 1)
    }
    try context.performAndWait { try $0.save() }
    context.performAndWait { #expect($0.context.registeredObjects.isEmpty) }
  }

  @Test func `acceptance 13: a missing row is an error, a fault, or nil without a look`() throws {
    let uri = id.uriRepresentation.deletingLastPathComponent().appending(path: "p999999")
    let missing = try #require(bench.stack.coordinator.managedObjectID(forURIRepresentation: uri))
    let context = bench.committed()
    let selects = { bench.log.messages(.trace).count { $0.hasPrefix("SELECT") } }
    let before = selects()
    #expect(context.registeredObject(for: missing) == nil)
    #expect(context.registeredObject(for: id) == nil)
    let fault = try #require(context.object(with: missing) as? Witness)
    #expect(fault.isFault && context.registeredObject(for: missing) === fault)
    #expect(selects() == before, "nothing was read")
    let error = cauldronError { _ = try context.existingObject(with: missing) }
    #expect(error?.code == .objectNotFound && error?.code.coreDataCode == 133_000)
    #expect(error?.objectIDs == [missing])
    #expect(selects() > before)
  }

  // A save with nothing to save posts nothing here, where Apple's framework posts a did-save with
  // empty sets: whoever is told of a save has something to look at.
  @Test func `acceptance 14: a reset tells of all objects, and leaves nothing to be saved`() throws
  {
    let context = bench.child()
    let second = Witness.named("second", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let first = try witness(in: context)
    first.name = "edited"
    second.delete()
    context.processPendingChanges()
    let ids = [first.objectID, second.objectID]
    let posts = Locked<[(Notification.Name, [ManagedObjectID]?)]>([])
    let token = NotificationCenter.default.addObserver(forName: nil, object: context, queue: nil) {
      let all = ($0.userInfo?["invalidatedAll"] as? LazyIDs)?.ids
      let name = $0.name
      posts.withLock { $0.append((name, all)) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    context.reset()
    let told = posts.withLock { $0 }
    #expect(told.map(\.0) == [ManagedObjectContext.didChangeObjectsNotification])
    #expect(Set(told.first?.1 ?? []) == Set(ids))
    #expect(context.registeredObjects.isEmpty && !context.hasChanges)
    try context.saveAndWait(toPersistentStore: true)
    #expect(posts.withLock { $0.count } == 1)
    let reader = bench.committed()
    #expect(try Witness.findAll(sortedBy: \.name, in: reader).map(\.name) == ["old", "second"])
  }
}
