import Cauldron
import CauldronGraph
import CauldronLedger
import Foundation
import TestSupport
import Testing

/// Who sees what when an object gets the key that the store has for it.
@Suite(.againstHanging) struct KeyExchangeTests {
  @Test func `every context of the chain follows`() throws {
    let bench = try KeyBench()
    let child = bench.child("Child", of: bench.main)
    let grandchild = bench.child("Grandchild", of: child)
    let jack = Person.named("jack", in: grandchild)
    let old = jack.objectID
    try grandchild.save()
    let inChild = try #require(try Person.findFirst(in: child))
    #expect(inChild.objectID == old)
    try child.saveAndWait(toPersistentStore: true)
    let new = jack.objectID
    #expect(!new.isProvisional && inChild.objectID == new)
    #expect(jack.in(child) === inChild && child.registeredObject(for: new) === inChild)
    try bench.onMain { main in
      let mine = try #require(try Person.findFirst(in: main))
      #expect(mine.objectID == new && main.object(with: old) === mine)
      #expect(main.registeredObjects.count == 1)
    }
    grandchild.processPendingChanges()
    #expect(grandchild.registeredObjects.count == 1 && jack.name == "jack")
    jack.name = "jim"
    try grandchild.save()
    try child.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.fresh()) == ["jim"])
  }

  @Test func `a fetch finds the registered object, not a second one`() throws {
    let bench = try KeyBench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    let acme = Company.named("acme", in: context)
    jack.employer = acme
    let old = acme.objectID
    try context.save()
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try Person.findAll(in: context).map(ObjectIdentifier.init) == [ObjectIdentifier(jack)])
    #expect(try Company.findAll(in: context).map(ObjectIdentifier.init) == [ObjectIdentifier(acme)])
    var request = FetchRequest<Person>()
    request.predicate = .refersTo(key: "employer", [old])
    #expect(try context.fetch(request).first === jack)
    #expect(try context.count(for: request) == 1)
    #expect(try context.fetchObjectIDs(request) == [jack.objectID])
  }

  @Test func `references between two such objects hold, both ways and in every context`() throws {
    let bench = try KeyBench()
    let child = bench.child()
    let acme = Company.named("acme", in: child)
    let jack = Person.named("jack", at: acme, in: child)
    let pass = Passport.create(in: child)
    jack.passport = pass
    #expect(acme.employees.objects == [jack])
    try child.save()
    let sibling = bench.child("Sibling")
    let theirs = try #require(try Company.findFirst(in: sibling))
    #expect(theirs.employees.map(\.name) == ["jack"])
    try bench.root.saveAndWait(toPersistentStore: true)
    for context in [child, sibling, bench.fresh()] {
      let company = try #require(try Company.findFirst(in: context))
      let person = try #require(company.employees.objects.first)
      #expect(company.employees.count == 1 && person.employer === company)
      #expect(person.passport?.holder === person)
      #expect(!person.objectID.isProvisional && !company.objectID.isProvisional)
    }
    #expect(jack.employer === acme && acme.employees.objects == [jack] && pass.holder === jack)
    #expect(theirs.employees.map(\.name) == ["jack"])
  }

  @Test func `a walked relationship names final IDs, and is edited on`() throws {
    let bench = try KeyBench()
    let child = bench.child()
    let acme = Company.named("acme", in: child)
    let people = ["a", "b", "c"].map { Person.named($0, at: acme, in: child) }
    #expect(acme.employees.count == 3)
    try child.save()
    #expect(acme.employees.count == 3)
    try bench.root.saveAndWait(toPersistentStore: true)
    acme.employees.remove(people[0])
    #expect(Set(acme.employees) == [people[1], people[2]])
    acme.employees.insert(people[0])
    acme.employees.insert(people[0])
    #expect(Set(acme.employees) == Set(people) && acme.employees.count == 3)
    acme.employees.remove(people[2])
    try child.saveAndWait(toPersistentStore: true)
    let theirs = try #require(try Company.findFirst(in: bench.fresh()))
    #expect(theirs.employees.map(\.name).sorted() == ["a", "b"])
  }

  @Test func `unsaved edits elsewhere stay, and are saved under the final key`() throws {
    let bench = try KeyBench()
    let child = bench.child()
    let jack = Person.named("jack", in: child)
    let acme = Company.named("acme", in: child)
    try child.save()
    let (early, late) = (bench.child("Early"), bench.child("Late"))
    let mine = jack.in(early)
    mine.age = 7
    mine.employer = acme.in(early)
    early.processPendingChanges()
    let theirs = jack.in(late)
    theirs.email = "jack@acme"
    let jill = Person.named("jill", at: acme.in(late), in: late)
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(mine.age == 7 && mine.employer?.name == "acme" && mine.isUpdated)
    #expect(theirs.email == "jack@acme" && jill.employer === acme.in(late))
    try late.saveAndWait(toPersistentStore: true)
    try early.saveAndWait(toPersistentStore: true)
    let found = try Person.findAll(sortedBy: \.name, in: bench.fresh())
    #expect(found.map(\.name) == ["jack", "jill"] && found.map(\.age) == [7, 0])
    #expect(found.map { $0.employer?.name } == ["acme", "acme"] && found[0].email == "jack@acme")
    #expect(try bench.storedKeys("Person").allSatisfy { $0 > 0 })
  }

  @Test func `a deletion elsewhere is saved under the final key`() throws {
    let bench = try KeyBench()
    let child = bench.child()
    let jack = Person.named("jack", in: child)
    Person.named("jill", in: child)
    try child.save()
    let other = bench.child("Other")
    jack.in(other).delete()
    other.processPendingChanges()
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try bench.storedKeys("Person").count == 2)
    try other.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.fresh()) == ["jill"])
  }

  @Test func `a rollback after the exchange shows the values before the edits`() throws {
    let bench = try KeyBench()
    let child = bench.child()
    let jack = Person.named("jack", in: child)
    let acme = Company.named("acme", in: child)
    jack.employer = acme
    try child.save()
    jack.name = "jim"
    child.processPendingChanges()
    jack.age = 3
    try bench.root.saveAndWait(toPersistentStore: true)
    child.rollback()
    #expect(jack.name == "jack" && jack.age == 0 && jack.employer === acme)
    #expect(!child.hasChanges && !jack.objectID.isProvisional)
    jack.age = 4
    try child.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.fresh())?.age == 4)
  }

  @Test func `notifications of the save name final IDs`() async throws {
    let bench = try KeyBench()
    let child = bench.child()
    let changes = Changes()
    let root = bench.root.observe { changes.append($0) }
    let own = child.observe { changes.append($0) }
    let ids = Notified(ManagedObjectContext.didSaveObjectIDsNotification, bench.root)
    let jack = Person.named("jack", in: child)
    try await child.save(toPersistentStore: true)
    let new = jack.objectID
    #expect(!new.isProvisional)
    let saves = changes.all.filter { $0.kind == .didSave }
    #expect(saves.count == 2 && saves.allSatisfy { $0.inserted == [new] })
    #expect(ids.inserted == [new])
    _ = (root, own)
  }

  @Test func `what was saved before is merged after`() throws {
    let bench = try KeyBench()
    let child = bench.child()
    let changes = Changes()
    let observation = child.observe { if $0.kind == .didSave { changes.append($0) } }
    let jack = Person.named("jack", in: child)
    try child.save()
    jack.age = 5
    try child.save()
    let other = bench.child("Other")
    let theirs = jack.in(other)
    #expect(theirs.age == 5)
    try bench.root.saveAndWait(toPersistentStore: true)
    for change in changes.all { other.mergeChanges(fromContextDidSave: change) }
    #expect(theirs.age == 5 && theirs.objectID == jack.objectID && !theirs.isDeleted)
    #expect(other.registeredObjects.count == 1)
    #expect(changes.all.last?.changedProperties(of: jack.objectID) == ["age"])
    _ = observation
  }

  @Test func `a fetched result leads to the object`() throws {
    let bench = try KeyBench()
    let child = bench.child()
    Person.named("jack", in: child)
    try child.save()
    let result = try bench.root.performAndWait { try $0.fetchResult(FetchRequest<Person>()) }
    #expect(result.objectID(at: 0).isProvisional)
    try bench.root.saveAndWait(toPersistentStore: true)
    try bench.onMain { main in
      let people = main.objects(of: result)
      #expect(people[0].name == "jack" && !people[0].objectID.isProvisional)
      #expect(people.objectID(at: 0) == people[0].objectID)
      #expect(result.objectIDs == [people[0].objectID])
      let found = try Person.findFirst(in: main)
      #expect(found === people[0])
    }
  }

  @Test func `the root's own invalid edits, held back, follow as well`() throws {
    let bench = try KeyBench()
    let child = bench.child()
    let acme = Company.named("acme", in: child)
    try child.save()
    // Without a name, which is required.
    let nameless = try bench.root.performAndWait { local in
      let person = Person.create(in: local)
      person.employer = try Company.findFirst(in: local)
      return person.objectID
    }
    _ = Company.named("other", in: child)
    try child.saveAndWait(toPersistentStore: true)
    #expect(!acme.objectID.isProvisional && !nameless.isTemporaryID)
    try bench.root.performAndWait { local in
      let person = try #require(try local.existingObject(with: nameless) as? Person)
      #expect(person.employer?.name == "acme")
      person.name = "jack"
    }
    try bench.root.saveAndWait(toPersistentStore: true)
    let found = try #require(try Person.findFirst(in: bench.fresh()))
    #expect(found.name == "jack" && found.employer?.name == "acme")
  }

  @Test func `several thousand objects are exchanged, with those that refer to them`() throws {
    let bench = try KeyBench()
    let child = bench.child("Child", of: bench.main)
    let companies = (0..<50).map { Company.named("\($0)", in: child) }
    for number in 0..<3_000 { Person.named("\(number)", at: companies[number % 50], in: child) }
    try child.saveWithMain(bench)
    #expect(try bench.storedKeys("Person").count == 3_000)
    #expect(try bench.storedKeys("Person").allSatisfy { $0 > 0 })
    let new = bench.fresh()
    #expect(try Company.findAll(in: new).allSatisfy { $0.employees.count == 60 })
    #expect(companies.allSatisfy { $0.employees.count == 60 })
    #expect(child.registeredObjects.allSatisfy { !$0.objectID.isProvisional })
  }
}

extension ManagedObjectContext {
  /// Saves level by level, the main one on the bench's queue.
  fileprivate func saveWithMain(_ bench: KeyBench) throws {
    try save()
    try bench.onMain { try $0.save() }
    try bench.root.saveAndWait(toPersistentStore: true)
  }
}
