import Cauldron
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What objects are like that were created while no key could be reserved.
@Suite(.againstHanging) struct ProvisionalKeyTests {
  @Test(arguments: StoreKind.allCases)
  func `no provisional key reaches the store, and no object is lost`(_ kind: StoreKind) throws {
    let bench = try KeyBench(kind)
    let (one, two) = (bench.child("One"), bench.child("Two"))
    let jack = Person.named("jack", in: one)
    let jill = Person.named("jill", in: two)
    #expect(jack.objectID.isProvisional && jill.objectID.isProvisional)
    #expect(jack.objectID != jill.objectID)
    try one.saveAndWait(toPersistentStore: true)
    try two.saveAndWait(toPersistentStore: true)
    let keys = try bench.storedKeys("Person")
    #expect(keys.count == 2 && keys.allSatisfy { $0 > 0 })
    #expect([jack.objectID.key, jill.objectID.key].sorted() == keys)
    #expect(jack.name == "jack" && jill.name == "jill")
    #expect(try Person.names(in: bench.fresh()) == ["jack", "jill"])
  }

  @Test func `two contexts whose objects meet in one save keep both`() throws {
    let bench = try KeyBench()
    let contexts = (0..<3).map { bench.child("\($0)") }
    let people = contexts.map { Person.named($0.name, in: $0) }
    #expect(Set(people.map(\.objectID)).count == 3)
    for context in contexts { try context.save() }
    #expect(try Person.names(in: bench.fresh()) == ["0", "1", "2"])
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try bench.storedKeys("Person").count == 3)
    for (context, person) in zip(contexts, people) { #expect(person.name == context.name) }
    #expect(try Person.names(in: bench.fresh()) == ["0", "1", "2"])
  }

  @Test func `entities share one counter`() throws {
    let bench = try KeyBench()
    let context = bench.child()
    let ids = [
      Person.create(in: context).objectID, Company.create(in: context).objectID,
      Passport.create(in: context).objectID,
    ]
    #expect(Set(ids.map(\.key)).count == 3)
  }

  @Test func `an ID changes once, and the old one leads to the object for ever`() throws {
    let bench = try KeyBench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    let old = jack.objectID
    #expect(old.isTemporaryID)
    try context.save()
    #expect(jack.objectID == old && old.isTemporaryID)
    try bench.root.saveAndWait(toPersistentStore: true)
    let new = jack.objectID
    #expect(new != old && !new.isProvisional && !new.isTemporaryID && !old.isTemporaryID)
    for context in [context, bench.fresh()] {
      let object = context.object(with: old)
      #expect(object.objectID == new && object === context.object(with: new))
      #expect(context.registeredObject(for: old) === object)
      #expect(context.registeredObject(for: new) === object)
      #expect(try context.existingObject(with: old) === object)
      #expect((object as? Person)?.name == "jack")
    }
    jack.name = "jim"
    try context.saveAndWait(toPersistentStore: true)
    #expect(jack.objectID == new)
    #expect(try bench.storedKeys("Person") == [new.key])
  }

  @Test func `a URI has Core Data's form of a temporary ID, and is understood`() throws {
    let bench = try KeyBench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    let old = jack.objectID
    let uri = old.uriRepresentation
    let prefix = "x-coredata://\(bench.coordinator.storeIdentifier)/Person/"
    #expect(uri.absoluteString == prefix + "t1")
    #expect(bench.coordinator.managedObjectID(forURIRepresentation: uri) == old)
    for unknown in ["t2", "t0", "t-1", "tx", "t", "q1"] {
      let uri = try #require(URL(string: prefix + unknown))
      #expect(bench.coordinator.managedObjectID(forURIRepresentation: uri) == nil)
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(bench.coordinator.managedObjectID(forURIRepresentation: uri) == jack.objectID)
    #expect(old.uriRepresentation == jack.objectID.uriRepresentation)
    #expect(jack.objectID.uriRepresentation.absoluteString == prefix + "p\(jack.objectID.key)")
  }

  @Test func `as soon as nobody else writes, keys are reserved again`() async throws {
    let bench = try KeyBench()
    let context = bench.child()
    #expect(Person.named("jack", in: context).objectID.isProvisional)
    #expect(Person.named("jim", in: context).objectID.isProvisional)
    bench.store.isBusy = false
    for _ in 0..<30_000 where bench.store.blocks == 0 {
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(bench.store.blocks == 1)
    var (jill, count) = (Person.named("jill", in: context), 3)
    // The store has given the block, but others may not have it yet.
    while jill.objectID.isProvisional, count < 10_000 {
      try await Task.sleep(for: .milliseconds(2))
      (jill, count) = (Person.named("jill", in: context), count + 1)
    }
    #expect(!jill.objectID.isProvisional && !jill.objectID.isTemporaryID)
    let id = jill.objectID
    try await context.save(toPersistentStore: true)
    #expect(jill.objectID == id)
    #expect(try bench.storedKeys("Person").count == count)
  }

  @Test func `an ID is permanent after permanent IDs were obtained, in all contexts`() throws {
    let bench = try KeyBench()
    let parent = bench.child()
    let (acme, jack) = (Company.named("acme", in: parent), Person.named("jack", in: parent))
    jack.employer = acme
    parent.processPendingChanges()
    let old = [acme.objectID, jack.objectID]
    #expect(old.allSatisfy { $0.isTemporaryID })
    let child = bench.child(of: parent)
    let same = try #require(try Person.findFirst(in: child))
    try parent.obtainPermanentIDs(for: [acme, jack])
    let new = [acme.objectID, jack.objectID]
    #expect(new.allSatisfy { !$0.isTemporaryID && !$0.isProvisional })
    #expect(old.allSatisfy { !$0.isTemporaryID } && same.objectID == new[1])
    #expect(jack.employer === acme && parent.registeredObject(for: old[0]) === acme)
    try parent.obtainPermanentIDs(for: [acme, jack])
    try parent.saveAndWait(toPersistentStore: true)
    #expect([acme.objectID, jack.objectID] == new)
    #expect(try bench.storedKeys("Person") == [new[1].key])
  }

  @Test func `objects of a running event that are new get permanent IDs`() throws {
    let bench = try KeyBench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    let acme = Company.named("acme", in: context)
    jack.employer = acme
    try context.obtainPermanentIDs(for: [jack, acme])
    let ids = [jack.objectID, acme.objectID]
    #expect(ids.allSatisfy { !$0.isTemporaryID } && jack.employer === acme)
    try context.saveAndWait(toPersistentStore: true)
    #expect([jack.objectID, acme.objectID] == ids)
    #expect(try bench.storedKeys("Company") == [ids[1].key])
  }

  @Test func `a key of the store is not exchanged where one is asked for once more`() throws {
    let bench = try KeyBench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    try context.obtainPermanentIDs(for: [jack])
    let id = jack.objectID
    try context.core.coordinator.reserveKeys(for: [jack])
    context.processPendingChanges()
    #expect(jack.objectID == id)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try jack.objectID == id && bench.storedKeys("Person") == [id.key])
  }

  @Test func `where no key can be reserved permanent IDs are refused, and nothing is lost`() throws
  {
    let bench = try KeyBench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    bench.store.failures = 1
    #expect(cauldronError { try context.obtainPermanentIDs(for: [jack]) }?.code == .storeBusy)
    #expect(jack.objectID.isTemporaryID && jack.name == "jack")
    try context.obtainPermanentIDs(for: [jack])
    #expect(!jack.objectID.isTemporaryID)
  }

  @Test func `a program that only reads reserves nothing`() throws {
    let bench = try KeyBench(isBusy: false)
    #expect(try Person.count(in: bench.fresh()) == 0)
    #expect(bench.store.blocks == 0)
  }

  @Test func `a rollback takes such objects back, and nothing of them is saved`() throws {
    let bench = try KeyBench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    let id = jack.objectID
    context.processPendingChanges()
    context.rollback()
    #expect(jack.isDeleted && !context.hasChanges)
    #expect(context.registeredObject(for: id) == nil)
    let jill = Person.named("jill", in: context)
    try context.save()
    bench.root.performAndWait { $0.rollback() }
    #expect(try bench.root.performAndWait { try Person.count(in: $0) } == 0)
    _ = jill
    try context.saveAndWait(toPersistentStore: true)
    #expect(try bench.storedKeys("Person") == [])
    #expect(id.isTemporaryID)
  }

  @Test func `a context that goes away takes its objects along`() throws {
    let bench = try KeyBench()
    var id: ManagedObjectID?
    do {
      let context = bench.child()
      id = Person.named("jack", in: context).objectID
      context.processPendingChanges()
    }
    let other = bench.child()
    Person.named("jill", in: other)
    try other.saveAndWait(toPersistentStore: true)
    #expect(try bench.storedKeys("Person").count == 1)
    let gone = try #require(id)
    #expect(throws: CauldronError.self) { try other.existingObject(with: gone) }
  }

  @Test func `a save that gets no key keeps everything, and succeeds when tried again`() throws {
    let bench = try KeyBench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    let id = jack.objectID
    try context.save()
    bench.store.failures = 1
    let error = cauldronError { try bench.root.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .storeBusy)
    #expect(jack.objectID == id && id.isTemporaryID)
    #expect(try bench.storedKeys("Person") == [])
    #expect(try Person.names(in: context) == ["jack"])
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try bench.storedKeys("Person") == [jack.objectID.key])
    #expect(try context.existingObject(with: id) === jack)
  }

  @Test func `a save that is refused for another reason is mended and saved`() throws {
    let bench = try KeyBench()
    let other = bench.child("Other")
    let taken = Person.named("first", in: other)
    taken.email = "taken"
    try other.saveAndWait(toPersistentStore: true)
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    let acme = Company.named("acme", in: context)
    jack.employer = acme
    jack.email = "taken"
    let old = [jack.objectID, acme.objectID]
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConstraint)
    context.processPendingChanges()
    #expect(jack.isInserted && !jack.objectID.isTemporaryID && jack.employer === acme)
    jack.email = "free"
    try context.saveAndWait(toPersistentStore: true)
    #expect(try bench.storedKeys("Person") == [taken.objectID.key, jack.objectID.key].sorted())
    #expect(try bench.storedKeys("Company") == [acme.objectID.key])
    let found = try Person.findFirst(where: \.name == "jack", in: bench.fresh())
    #expect(found?.employer?.name == "acme")
    #expect(context.object(with: old[0]) === jack && context.object(with: old[1]) === acme)
  }
}
