import Cauldron
import CauldronGraph
import CauldronLedger
import Foundation
import TestSupport
import Testing

@Entity final class Stamped: ManagedObject {
  var stamp: String

  override func willSave() { if stamp.isEmpty { stamp = "stamped" } }
}

/// A save answers for all that it carries to the store, and not only for what it adds.
@Suite(.againstHanging) struct CarriedSaveTests {
  private let bench: Bench
  private let id: ManagedObjectID

  init() throws {
    bench = try Bench(.file)
    id = try bench.stack.saveAndWait { Person.named("jack", age: 1, in: $0.context).objectID }
  }

  private func person(in context: ManagedObjectContext) throws -> Person {
    try #require(try Person.find(id, in: context))
  }

  private func rival(_ age: Int) throws {
    try bench.stack.saveAndWait(named: "Rival") { try Person.find(id, in: $0)?.age = age }
  }

  private var stored: Int? { get throws { try Person.find(id, in: bench.committed())?.age } }

  /// A session that has saved an age into the main context, which a rival has changed since.
  private func session(deletes: Bool = false) throws -> ManagedObjectContext {
    let session = bench.child("Session", of: bench.mainContext)
    try person(in: session).age = 33
    try session.saveAndWait(toPersistentStore: false)
    if deletes {
      try bench.stack.saveAndWait { try Person.find(id, in: $0)?.delete() }
    } else {
      try rival(8)
    }
    return session
  }

  /// The same of a session that exists no more: work of its own may have held it a moment longer.
  private func goneSession(deletes: Bool = false) throws {
    _ = try session(deletes: deletes)
    let main = bench.mainContext.core.node
    while bench.stack.coordinator.ledger.nodes.all.contains(where: { $0.parent === main }) {
      usleep(1_000)
    }
  }

  @Test func `a save that brings a child's changes tells that they were refused`() throws {
    let session = try session()
    let error = cauldronError { try bench.mainContext.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict && error?.property == "age")
    #expect(session.hasChanges && !bench.isDirty(bench.mainContext) && !bench.isDirty(bench.root))
    #expect(try stored == 8)
  }

  @Test func `what it has of its own is saved, and the answer names the rest`() throws {
    let session = try session()
    bench.onMain { _ = Person.named("jill", in: $0) }
    let outcome = try bench.mainContext.saveAndWait(toPersistentStore: true)
    let summary = try #require(outcome.summary)
    #expect(summary.inserted == 1 && summary.refused.map(\.code) == [.saveConflict])
    #expect(session.hasChanges)
    #expect(try Person.count(in: bench.committed()) == 2 && stored == 8)
  }

  @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump])
  func `what a policy decides about a child's changes is in the answer`(
    _ policy: MergePolicy
  ) throws {
    let session = try session()
    let outcome = try bench.mainContext.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    let summary = try #require(outcome.summary)
    #expect(summary.carriedResolutions.map(\.objectID) == [id] && summary.refused.isEmpty)
    #expect(try stored == (policy == .mergeByPropertyStoreTrump ? 8 : 33))
    withExtendedLifetime(session) {}
  }

  @Test func `a save on to the store answers for the part that waited in the parent`() throws {
    let session = try session()
    let error = cauldronError { try session.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    #expect(session.hasChanges && !bench.isDirty(bench.mainContext) && !bench.isDirty(bench.root))
    session.refresh(try person(in: session), mergeChanges: true)
    try session.saveAndWait(toPersistentStore: true)
    #expect(try stored == 33)
  }

  @Test func `what is added to it is saved, and the answer names the part that came back`() throws {
    let session = try session()
    Person.named("jill", in: session)
    let outcome = try session.saveAndWait(toPersistentStore: true)
    let summary = try #require(outcome.summary)
    #expect(summary.inserted == 1 && summary.refused.map(\.code) == [.saveConflict])
    #expect(session.hasChanges && !bench.isDirty(bench.mainContext))
    #expect(try Person.count(in: bench.committed()) == 2 && stored == 8)
  }

  @Test func `edits of what others have deleted meanwhile come back as edits`() throws {
    try goneSession(deletes: true)
    let error = cauldronError { try bench.mainContext.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    // The main context takes in what came back at its next event.
    for _ in 0..<1_000 where bench.onMain({ $0.updatedObjects.isEmpty }) { usleep(10_000) }
    bench.onMain { main in
      #expect(main.updatedObjects.count == 1 && main.deletedObjects.isEmpty)
      let person = main.updatedObjects.first as? Person
      #expect(person?.age == 33 && person?.conflicts.count == 1)
      main.rollback()
      #expect(!main.hasChanges)
    }
  }

  @Test func `a hook may complete what a save in a block checks`() throws {
    let model = try ManagedObjectModel(entities: [Stamped._describeEntity()])
    let bench = try Bench(model: model)
    try bench.stack.saveAndWait { local in
      _ = Stamped.create(in: local)
      try local.save()
    }
    #expect(try Stamped.findAll(in: bench.committed()).map(\.stamp) == ["stamped"])
  }

  @Test func `a context that a block has kept saves as any other afterwards`() throws {
    var kept: ManagedObjectContext?
    try bench.stack.saveAndWait { kept = $0.context }
    let context = try #require(kept)
    try context.performAndWait { local in
      try Person.find(id, in: local)?.age = 44
      try local.save()
    }
    #expect(bench.isDirty(bench.root))
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try stored == 44)
  }

  @Test(arguments: [false, true])
  func `changes that came back to an object that nobody held can be mended`(
    _ mergeChanges: Bool
  ) throws {
    let session = try session()
    _ = cauldronError { try bench.mainContext.saveAndWait(toPersistentStore: true) }
    try session.performAndWait { local in
      let person = try person(in: local.context)
      #expect(person.age == 33 && person.isUpdated && person.changedValues().count == 1)
      #expect(person.conflicts.flatMap(\.properties).map(\.name) == ["age"])
      local.refresh(person, mergeChanges: mergeChanges)
      #expect(person.age == (mergeChanges ? 33 : 8) && person.conflicts.isEmpty)
      #expect(local.hasChanges == mergeChanges)
    }
    try session.saveAndWait(toPersistentStore: true)
    #expect(try stored == (mergeChanges ? 33 : 8))
  }

  @Test func `they come back to the parent of a session that is gone, and can be mended`() throws {
    try goneSession()
    let error = cauldronError { try bench.mainContext.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    for _ in 0..<1_000 where bench.onMain({ $0.updatedObjects.isEmpty }) { usleep(10_000) }
    try bench.onMain { main in
      let person = try person(in: main)
      #expect(main.hasChanges && person.age == 33 && person.conflicts.count == 1)
      main.refresh(person, mergeChanges: true)
      #expect(person.age == 33 && person.conflicts.isEmpty)
    }
    try bench.mainContext.saveAndWait(toPersistentStore: true)
    #expect(try stored == 33)
  }

  @Test(arguments: [0, 3], [false, true])
  func `a block that saves by itself is saved as a whole, or run again`(
    _ retries: Int, _ hasMore: Bool
  ) throws {
    let runs = Locked(0)
    func save() throws {
      try bench.stack.saveAndWait(named: "Mine", retries: retries) { local in
        let person = try #require(try Person.find(id, in: local))
        person.age += 1_000
        try local.save()
        runs.withLock { $0 += 1 }
        if runs.withLock({ $0 }) == 1 { try rival(2) }
        if hasMore { person.name = "joe" }
      }
    }
    if retries == 0 {
      #expect(cauldronError { try save() }?.code == .saveConflict)
      #expect(try stored == 2)
    } else {
      try save()
      #expect(try stored == 1_002 && runs.withLock { $0 } == 2)
    }
    #expect(!bench.isDirty(bench.root))
  }

  @Test func `of a block that throws nothing stays behind`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try bench.stack.saveAndWait { local in
        Person.named("jill", in: local.context)
        try local.save()
        throw Stop()
      }
    }
    #expect(!bench.isDirty(bench.root))
    try rival(3)
    #expect(try Person.count(in: bench.committed()) == 1)
  }

  @Test func `refreshing decides for a deletion`() throws {
    let context = bench.child()
    let person = try person(in: context)
    person.delete()
    try rival(5)
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.description.contains("mergeChanges: true to delete it all the same") == true)
    context.refresh(person, mergeChanges: true)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  @Test func `what was deleted elsewhere names remedies that help`() throws {
    let context = bench.child()
    let person = try person(in: context)
    person.age = 9
    try bench.stack.saveAndWait { try Person.find(id, in: $0)?.delete() }
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.description.contains("Roll back, or save with another merge policy.") == true)
    #expect(error?.description.contains("Refresh") == false)
    context.rollback()
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
  }
}

extension SaveOutcome {
  var summary: SaveSummary? {
    if case .saved(let summary) = self { summary } else { nil }
  }
}
