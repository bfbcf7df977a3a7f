import Cauldron
import Testing

@Suite struct ToOneTests {
  @Test(arguments: [false, true])
  func `setting the to-one side puts the object into the other side`(_ isSaved: Bool) throws {
    let bench = try Bench()
    let context = bench.child()
    let (acme, other) = (Company.named("a", in: context), Company.named("b", in: context))
    let jack = Person.named("jack", in: context)
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    #expect(acme.employees.isEmpty)
    jack.employer = acme
    #expect(acme.employees.objects == [jack])
    jack.employer = other
    #expect(acme.employees.isEmpty && other.employees.objects == [jack])
    jack.employer = nil
    #expect(acme.employees.isEmpty && other.employees.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a one-to-one relationship is kept on both sides`(_ isSaved: Bool) throws {
    let bench = try Bench()
    let context = bench.child()
    let (jack, jill) = (Person.named("jack", in: context), Person.named("jill", in: context))
    let (one, two) = (Passport.create(in: context), Passport.create(in: context))
    jack.passport = one
    jill.passport = two
    #expect(one.holder === jack && two.holder === jill)
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    // Jill takes Jack's; her old one is left alone.
    jill.passport = one
    #expect(jack.passport == nil && one.holder === jill && two.holder == nil)
    two.holder = jill
    #expect(jill.passport === two && one.holder == nil)
    two.holder = nil
    #expect(jill.passport == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `one-to-one survives a save when taken from objects that are not registered`(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    let maker = bench.child()
    let (jack, jill) = (Person.named("jack", in: maker), Person.named("jill", in: maker))
    let one = Passport.create(in: maker)
    jack.passport = one
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Other")
    let copy = try #require(try Person.find(jill.objectID, in: context))
    copy.passport = try Passport.find(one.objectID, in: context)
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try Person.find(jack.objectID, in: reader)?.passport == nil)
    #expect(try Passport.find(one.objectID, in: reader)?.holder?.name == "jill")
  }

  @Test func `setting the same object again changes nothing`() throws {
    let context = try Bench().child()
    let acme = Company.named("a", in: context)
    let jack = Person.named("jack", at: acme, in: context)
    try context.save()
    jack.employer = acme
    #expect(!jack.hasChanges && !context.hasChanges)
  }

  @Test func `a to-one reference leads to a fault that fires when it is read`() throws {
    let bench = try Bench(.file)
    let maker = bench.child()
    let id = Person.named("jack", at: Company.named("a", in: maker), in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child()
    let jack = try #require(try Person.find(id, in: context))
    let acme = try #require(jack.employer)
    #expect(acme.isFault && context.registeredObjects.count == 2)
    #expect(acme.name == "a" && !acme.isFault)
  }

  @Test(arguments: StoreKind.allCases)
  func `references survive reopening`(_ kind: StoreKind) throws {
    var bench = try Bench(kind)
    let context = bench.child()
    let acme = Company.named("a", in: context)
    for name in ["jack", "jill"] { Person.named(name, at: acme, in: context) }
    let pass = Passport.create(in: context)
    acme.employees.objects.first { $0.name == "jill" }?.passport = pass
    try context.saveAndWait(toPersistentStore: true)
    if kind == .file { bench = try bench.reopened() }
    let reader = bench.committed()
    let company = try #require(try Company.findFirst(in: reader))
    #expect(Set(company.employees.map(\.name)) == ["jack", "jill"])
    #expect(try Passport.findFirst(in: reader)?.holder?.employer === company)
  }

  @Test func `objects of different contexts cannot be related`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try Bench()
      let (one, two) = (bench.child("One"), bench.child("Two"))
      let acme = Company.named("a", in: one)
      Person.named("jack", in: two).employer = acme
      withExtendedLifetime((one, two)) {}
    }
    #expect(
      result.sentence.contains(
        "Objects of different contexts cannot be related:"
          + " Person of \"Two\" and Company of \"One\". Take `company.in(context)`, which is the"
          + " same object in the other context."))
  }
}
