import Cauldron
import Testing

@Suite struct NullifyTests {
  enum Stage: CaseIterable { case sameEvent, published, saved, committed }

  private func advance(_ context: ManagedObjectContext, to stage: Stage) throws {
    switch stage {
    case .sameEvent: break
    case .published: context.processPendingChanges()
    case .saved: try context.save()
    case .committed: try context.saveAndWait(toPersistentStore: true)
    }
  }

  @Test(arguments: Stage.allCases, [false, true])
  func `deleting a company takes it from its people`(_ stage: Stage, _ isWalked: Bool) throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let acme = Company.named("acme", in: context)
    let people = (0..<3).map { Person.named("\($0)", at: acme, in: context) }
    try advance(context, to: stage)
    if isWalked { #expect(acme.employees.count == 3) }
    acme.delete()
    context.processPendingChanges()
    #expect(people.allSatisfy { $0.employer == nil })
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try Company.count(in: reader) == 0)
    #expect(try Person.findAll(in: reader).count { $0.employer == nil } == 3)
  }

  @Test(arguments: Stage.allCases, [false, true])
  func `deleting a person takes it out of its company`(_ stage: Stage, _ isWalked: Bool) throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let acme = Company.named("acme", in: context)
    let people = (0..<3).map { Person.named("\($0)", at: acme, in: context) }
    try advance(context, to: stage)
    if isWalked { #expect(acme.employees.count == 3) }
    people[1].delete()
    context.processPendingChanges()
    #expect(Set(acme.employees) == [people[0], people[2]])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Company.findFirst(in: bench.committed())?.employees.count == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `what lets go of its edits does not get back what is deleted`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let context = bench.child()
    let acme = Company.named("acme", in: context)
    let jack = Person.named("jack", at: acme, in: context)
    try context.saveAndWait(toPersistentStore: true)
    acme.delete()
    context.processPendingChanges()
    context.refresh(jack, mergeChanges: false)
    #expect(jack.employer == nil)
    try context.saveAndWait(toPersistentStore: true)
    #expect(jack.employer == nil)
    #expect(try Person.findAll(in: bench.committed()).map(\.employer) == [nil])
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `deleting one side of a one-to-one clears the other, registered or not`(
    _ kind: StoreKind, _ deletesPassport: Bool
  ) throws {
    let bench = try Bench(kind)
    let maker = bench.child()
    let jack = Person.named("jack", in: maker)
    jack.passport = Passport.create(in: maker)
    let passID = try #require(jack.passport).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Other")
    if deletesPassport {
      try Passport.find(passID, in: context)?.delete()
    } else {
      try Person.find(jack.objectID, in: context)?.delete()
    }
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    if deletesPassport {
      let found = try #require(try Person.findFirst(in: reader))
      #expect(found.passport == nil)
    } else {
      let found = try #require(try Passport.findFirst(in: reader))
      #expect(found.holder == nil)
    }
  }

  @Test func `owner and members are deleted in one event`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let acme = Company.named("acme", in: context)
    for name in ["a", "b"] { Person.named(name, at: acme, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    for person in acme.employees { person.delete() }
    acme.delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 0)
    #expect(try Company.count(in: bench.committed()) == 0)
  }

  @Test func `a fault can be deleted`() throws {
    let bench = try Bench(.file)
    let maker = bench.child()
    let acme = Company.named("acme", in: maker)
    let jack = Person.named("a", at: acme, in: maker)
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Other")
    context.object(with: acme.objectID).delete()
    #expect(context.object(with: jack.objectID).value(forKey: "employer") != nil)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Company.count(in: bench.committed()) == 0)
    #expect(try Person.findFirst(in: bench.committed())?.employer == nil)
  }

  @Test func `a deleted object still reads its values until the save`() throws {
    let bench = try Bench()
    let context = bench.child()
    let jack = Person.named("jack", at: Company.named("acme", in: context), in: context)
    try context.save()
    jack.delete()
    #expect(jack.isDeleted && jack.name == "jack" && jack.employer?.name == "acme")
    context.processPendingChanges()
    #expect(jack.name == "jack" && jack.employer?.name == "acme")
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `a reference that others have had lead elsewhere is not cleared`(
    _ kind: StoreKind, _ isRefreshed: Bool
  ) throws {
    let bench = try Bench(kind)
    let maker = bench.committed()
    let (old, new) = (Company.named("old", in: maker), Company.named("new", in: maker))
    let person = Person.named("jack", at: old, in: maker)
    try maker.save()
    let context = bench.child()
    context.automaticallyMergesChangesFromParent = true
    let jack = try #require(try Person.find(person.objectID, in: context))
    try #require(try Company.find(old.objectID, in: context)).delete()
    context.processPendingChanges()
    #expect(jack.employer == nil)
    let other = bench.child("Other")
    let theirs = try #require(try Person.find(person.objectID, in: other))
    theirs.employer = try Company.find(new.objectID, in: other)
    try other.save()
    context.processPendingChanges()
    if isRefreshed { context.refresh(jack, mergeChanges: true) }
    #expect(jack.employer?.name == "new")
    let company = try #require(try Company.find(new.objectID, in: context))
    #expect(company.employees.map(\.name) == ["jack"])
    #expect(try Person.findAll(where: \.employer == company, in: context) == [jack])
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try Person.findFirst(in: reader)?.employer?.name == "new")
    #expect(try Company.findAll(in: reader).map(\.name) == ["new"])
  }
}
