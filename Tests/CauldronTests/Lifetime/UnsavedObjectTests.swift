import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// An unsaved object that the program holds keeps its context; one that only the context holds does
/// not.
@Suite(.againstHanging) struct UnsavedObjectTests {
  /// What is left of an edit session; weak, so that looking at it keeps nothing.
  private struct Remains: @unchecked Sendable {
    weak var object: ManagedObject?
    weak var core: ContextCore?

    init(_ object: ManagedObject) {
      self.object = object
      core = object.core.takeUnretainedValue()
    }

    var isGone: Bool { object == nil && core == nil }
  }

  @Test func `an object made in a context that nobody else holds can be edited and saved`()
    async throws
  {
    let bench = try Bench(.file)
    let person = Person.create(in: .contextWithParent(bench.mainContext))
    person.name = "x"
    person.age = 3
    let (didSave, error) = await withCheckedContinuation { continuation in
      person.save(toPersistentStore: true) { continuation.resume(returning: ($0, $1)) }
    }
    #expect(didSave && error == nil)
    #expect(try Person.names(in: bench.committed()) == ["x"])
  }

  @Test func `one line that edits such an object works`() throws {
    let bench = try Bench()
    Person.create(in: .contextWithParent(bench.mainContext)).name = "x"
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  @Test func `the context of a held object is made anew, and is the same for all its objects`()
    throws
  {
    let bench = try Bench()
    let person = Person.create(in: .contextWithParent(bench.mainContext))
    person.name = "jack"
    let context = try #require(person.managedObjectContext)
    #expect(context.name == "Untitled Context" && context.parent === bench.mainContext)
    let company = Company.named("acme", in: context)
    person.employer = company
    #expect(company.managedObjectContext === context && person.managedObjectContext === context)
    #expect(company.employees.map(\.name) == ["jack"])
    #expect(try Person.names(in: context) == ["jack"])
    try context.save()
    #expect(try Person.names(in: bench.child()) == [] && bench.isDirty(bench.root) == false)
  }

  @Test func `a context keeps its name and address in the log`() throws {
    let bench = try Bench()
    let person = Person.create(in: .contextWithParent(bench.mainContext))
    person.name = "jack"
    try person.managedObjectContext?.save()
    let lines = bench.log.messages()
    let created = try #require(lines.first)
    let saved = try #require(lines.dropFirst().first)
    #expect(saved.contains(created.dropFirst("Created new private queue context: ".count)))
  }

  @Test func `an edit session that is dropped leaves nothing`() throws {
    let bench = try Bench()
    try keepCompany("acme", bench)
    func session() throws -> Remains {
      let context = ManagedObjectContext.contextWithParent(bench.root)
      let person = Person.named("draft", in: context)
      person.employer = try Company.findFirst(in: context)
      return Remains(person)
    }
    let remains = try session()
    endEvent(bench)
    #expect(remains.isGone)
    #expect(try Person.count(in: bench.child()) == 0)
  }

  @Test func `an object that goes after its context ends it at a later event's end`() throws {
    let bench = try Bench()
    var person: Person? = Person.create(in: .contextWithParent(bench.root))
    let remains = try Remains(#require(person))
    person?.name = "jack"
    endEvent(bench)
    endEvent(bench)
    #expect(person?.name == "jack" && person?.managedObjectContext != nil)
    person = nil
    endEvent(bench)
    #expect(remains.isGone)
  }

  @Test func `an object that another thread lets go of ends its context, too`() async throws {
    final class Box: @unchecked Sendable { var person: Person? }
    let bench = try Bench()
    let box = Box()
    box.person = Person.create(in: .contextWithParent(bench.root))
    box.person?.name = "jack"
    let remains = try Remains(#require(box.person))
    await onNewThread { box.person = nil }
    await onNewThread { endEvent(bench) }
    #expect(remains.isGone)
  }

  @Test func `many dropped sessions do not gather, though no event ends`() throws {
    let bench = try Bench()
    var all: [Remains] = []
    for number in 0..<100 {
      let person = Person.create(in: .contextWithParent(bench.root))
      person.name = "\(number)"
      all.append(Remains(person))
    }
    #expect(all.filter { !$0.isGone }.count <= 4)
  }

  @Test func `layers of a dropped session leave the ledger`() throws {
    let bench = try Bench()
    func session() throws -> Remains {
      let context = ManagedObjectContext.contextWithParent(bench.root)
      let person = Person.named("draft", in: context)
      #expect(try Person.count(in: context) == 1)
      person.age = 7
      return Remains(person)
    }
    let remains = try session()
    endEvent(bench)
    #expect(remains.isGone)
  }

  @Test func `one held object keeps what else the session has made`() async throws {
    let bench = try Bench(.file)
    func session() -> Person {
      let context = ManagedObjectContext.contextWithParent(bench.mainContext)
      let company = Company.named("acme", in: context)
      for number in 0..<200 { Person.named("\(number)", at: company, in: context) }
      return Person.named("held", at: company, in: context)
    }
    let person = session()
    for _ in 0..<3 { endEvent(bench) }
    try await person.managedObjectContext?.save(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 201)
    #expect(try Company.count(in: bench.committed()) == 1)
  }

  @Test func `a refused save leaves its objects usable after their context`() async throws {
    let bench = try Bench(.file)
    try keepPerson(email: "a@x", bench)
    func session() async throws -> Person {
      let context = ManagedObjectContext.contextWithParent(bench.mainContext)
      let person = Person.named("second", in: context)
      person.email = "a@x"
      await #expect(throws: CauldronError.self) {
        try await context.save(toPersistentStore: true)
      }
      return person
    }
    let person = try await session()
    #expect(person.isInserted)
    person.email = "b@x"
    try await person.managedObjectContext?.save(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 2)
  }

  @Test func `a clean object does not keep its context`() throws {
    let bench = try Bench()
    try keepCompany("acme", bench)
    var context: ManagedObjectContext? = bench.child()
    let company = try context.flatMap { try Company.findFirst(in: $0) }
    let draft = context.map { Person.named("draft", in: $0) }.map(Remains.init)
    #expect(company?.name == "acme")
    context = nil
    #expect(company != nil && company?.managedObjectContext == nil)
    #expect(draft?.object == nil)
  }

  @Test func `an edited object that is not known yet keeps its context, which saves it later`()
    throws
  {
    let bench = try Bench(.file)
    let maker = bench.child("Maker")
    let new = Person.named("new", in: maker)
    func session() throws -> Person {
      let context = bench.child("Session")
      let person = try #require(context.object(with: new.objectID) as? Person)
      person.age = 5
      context.processPendingChanges()
      #expect(context.hasChanges)
      return person
    }
    var person: Person? = try session()
    var forgotten: Person? = try session()
    let remains = try [person, forgotten].map { Remains(try #require($0)) }
    forgotten = nil
    for _ in 0..<3 { endEvent(bench) }
    #expect(remains[1].isGone && forgotten == nil)
    let context = try #require(person?.managedObjectContext)
    #expect(context.name == "Session" && person?.age == 5)
    try maker.saveAndWait(toPersistentStore: true)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.findAll(in: bench.committed()).map(\.age) == [5])
    person = nil
  }

  @Test func `on the main queue an unsaved object keeps its context`() throws {
    final class Box: @unchecked Sendable { var person: Person? }
    let bench = try Bench()
    let box = Box()
    bench.onMain { parent in
      let context = ManagedObjectContext(.main, parent: parent, name: "Drafts")
      box.person = Person.named("jack", in: context)
    }
    bench.settleMain()
    let remains = try bench.onMain { _ in
      let person = try #require(box.person)
      person.age = 3
      #expect(person.name == "jack" && person.managedObjectContext?.name == "Drafts")
      return Remains(person)
    }
    bench.settleMain()
    box.person = nil
    bench.onMain { _ = Person.named("other", in: $0) }
    bench.settleMain()
    #expect(remains.isGone)
  }

  @Test func `a stack goes away with its dropped sessions`() throws {
    weak var coordinator: AnyObject?
    do {
      let bench = try Bench(.file)
      coordinator = bench.stack.coordinator
      func session() { Person.create(in: .contextWithParent(bench.root)).name = "x" }
      session()
    }
    #expect(coordinator == nil)
  }

  @Test func `sessions are dropped on many threads at once`() async throws {
    let bench = try Bench()
    @Sendable func save(_ person: Person) { try? person.managedObjectContext?.save() }
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for round in 0..<50 {
            let person = Person.create(in: .contextWithParent(bench.root))
            person.name = "\(number) \(round)"
            person.age = round
            if round % 5 == 0 { await Task.yield() }
            #expect(person.age == round)
            if round % 3 == 0 { save(person) }
          }
        }
      }
    }
    endEvent(bench)
    #expect(try await bench.root.perform { try Person.count(in: $0) } == 8 * 17)
  }

  @Test func `a context goes that has taken links away and made them anew`() throws {
    let bench = try Bench(model: Guild(rule: .nullify).model())
    let maker = bench.child("Maker")
    try Guild.found(in: maker)
    try maker.saveAndWait(toPersistentStore: true)
    func session() throws {
      let context = bench.child()
      let club = try #require(try context.one("Club", "y"))
      let players = club.many("players")
      try club.setValue([ManagedObject](), forKey: "players")
      context.processPendingChanges()
      try club.setValue(players, forKey: "players")
      context.processPendingChanges()
      #expect(club.names("players").sorted() == ["b", "c"])
    }
    for _ in 0..<3 { try session() }
    endEvent(bench)
    #expect(try bench.committed().players("y")?.sorted() == ["b", "c"])
  }

  /// Ends an event of another context.
  private func endEvent(_ bench: Bench) { bench.root.performAndWait { _ in } }

  private func keepCompany(_ name: String, _ bench: Bench) throws {
    let context = bench.child()
    _ = Company.named(name, in: context)
    try context.saveAndWait(toPersistentStore: true)
  }

  private func keepPerson(email: String, _ bench: Bench) throws {
    let context = bench.child()
    Person.named("first", in: context).email = email
    try context.saveAndWait(toPersistentStore: true)
  }
}
