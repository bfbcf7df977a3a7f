import Cauldron
import CauldronModel
import Testing

/// What a deletion rule makes nil is nobody's edit, and a one-to-one relationship is one link.
@Suite struct DeleteRuleConflictTests {
  @Test(arguments: StoreKind.allCases)
  func `a deletion does not take back where an employee has gone meanwhile`(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    let maker = bench.committed()
    let (old, new) = (Company.named("old", in: maker), Company.named("new", in: maker))
    let person = Person.named("jack", at: old, in: maker)
    try maker.save()
    let (mine, theirs) = (bench.committed(), bench.committed())
    let doomed = try #require(try Company.find(old.objectID, in: mine))
    doomed.delete()
    mine.processPendingChanges()
    let mover = try #require(try Person.find(person.objectID, in: theirs))
    mover.employer = try Company.find(new.objectID, in: theirs)
    try theirs.save()
    try mine.save()
    let reader = bench.committed()
    #expect(try Person.find(person.objectID, in: reader)?.employer?.objectID == new.objectID)
    #expect(try Company.find(old.objectID, in: reader) == nil)
  }

  @Test func `a cancelled deletion leaves its employees alone`() throws {
    let bench = try Bench()
    let maker = bench.committed()
    let company = Company.named("old", in: maker)
    let person = Person.named("jack", at: company, in: maker)
    try maker.save()
    let (mine, theirs) = (bench.committed(), bench.committed())
    try #require(try Company.find(company.objectID, in: mine)).delete()
    mine.processPendingChanges()
    try #require(try Company.find(company.objectID, in: theirs)).name = "renamed"
    try theirs.save()
    try mine.save(mergePolicy: .mergeByPropertyStoreTrump)
    let reader = bench.committed()
    #expect(try Company.find(company.objectID, in: reader)?.name == "renamed")
    #expect(try Person.find(person.objectID, in: reader)?.employer?.objectID == company.objectID)
  }

  @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump])
  func `both ends of a one-to-one link follow one decision`(_ policy: MergePolicy) throws {
    let bench = try Bench()
    let maker = bench.committed()
    let person = Person.named("jack", in: maker)
    let passports = (1...2).map { number in
      let passport = Passport.create(in: maker)
      passport.number = number
      return passport.objectID
    }
    try maker.save()
    let (mine, theirs) = (bench.committed(), bench.committed())
    func give(_ passport: Int, in context: ManagedObjectContext) throws {
      let jack = try #require(try Person.find(person.objectID, in: context))
      jack.passport = try Passport.find(passports[passport], in: context)
    }
    try give(1, in: mine)
    try give(0, in: theirs)
    try theirs.save()
    #expect(cauldronError { try mine.save() }?.code == .saveConflict)
    try mine.save(mergePolicy: policy)
    let reader = bench.committed()
    let winner = policy == .mergeByPropertyObjectTrump ? 1 : 0
    let jack = try #require(try Person.find(person.objectID, in: reader))
    #expect(jack.passport?.objectID == passports[winner])
    let holders = try passports.map { try Passport.find($0, in: reader)?.holder?.objectID }
    #expect(holders[winner] == person.objectID && holders[1 - winner] == nil)
  }

  @Test func `a child deletes what led to an object that the parent has given up`() throws {
    let bench = try Bench()
    let maker = bench.committed()
    let person = Person.named("jack", in: maker)
    try maker.save()
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    let jack = try #require(try Person.find(person.objectID, in: parent))
    let company = Company.named("new", in: parent)
    jack.employer = company
    parent.processPendingChanges()
    try #require(try Person.find(person.objectID, in: child)).delete()
    child.processPendingChanges()
    company.delete()
    parent.processPendingChanges()
    try child.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 0)
  }
}
