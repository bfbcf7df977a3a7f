import Cauldron
import CauldronModel
import Logging
import TestSupport
import Testing

/// Log lines say what a save did, and why what failed did so.
@Suite(.againstHanging) struct SaveOutcomeLogTests {
  private func lines(_ bench: Bench, _ prefix: String) -> [LogCapture.Line] {
    bench.log.lines.filter { $0.message.hasPrefix(prefix) }
  }

  /// A person on disk, and a child that has changed its age, as somebody else has meanwhile.
  private func quarrel(
    _ bench: Bench, in parent: ManagedObjectContext? = nil
  ) throws -> (ManagedObjectContext, ManagedObjectID) {
    let maker = bench.child("Maker")
    let id = Person.named("jack", age: 1, in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let mine = bench.child("Mine", of: parent)
    try Person.find(id, in: mine)?.age = 2
    let theirs = bench.child("Theirs", of: parent)
    try Person.find(id, in: theirs)?.age = 3
    try theirs.save()
    return (mine, id)
  }

  @Test(arguments: StoreKind.allCases)
  func `a refused save logs its failure once, and not that it was saved`(
    _ kind: StoreKind
  ) async throws {
    let bench = try Bench(kind)
    let first = bench.child("First", of: bench.mainContext)
    Person.named("a", in: first).email = "same"
    try await first.save(toPersistentStore: true)
    let before = bench.log.lines.count
    let second = bench.child("Second", of: bench.mainContext)
    let person = Person.named("b", in: second)
    person.email = "same"
    await #expect(throws: CauldronError.self) { try await second.save(toPersistentStore: true) }
    let new = bench.log.lines.dropFirst(before)
    let failures = new.filter { $0.level >= .warning }
    #expect(failures.count == 1)
    let failure = try #require(failures.first)
    let text = "Could not save \(second): Cannot save Person \(person.objectID): email must"
    #expect(failure.message.hasPrefix(text))
    #expect(failure.metadata["code"] == "save.constraint")
    #expect(failure.metadata["entity"] == "Person" && failure.metadata["property"] == "email")
    #expect(failure.metadata["object"] == "\(person.objectID)")
    #expect(failure.metadata["context"] == "Second")
    #expect(failure.metadata["level"] == "Root Saving Context")
    #expect("\(failure.metadata["at"] ?? "")".contains("SaveOutcomeLogTests.swift:"))
    let root = try #require(new.last { $0.metadata["step"] == "3/3" && $0.level == .debug })
    #expect(root.message == "Saved nothing of \(bench.root)")
    #expect(root.metadata["inserted"] == nil && root.metadata["refused"] == "1")
    #expect(root.metadata["rows"] == nil && root.metadata["objects"] == nil)
  }

  @Test func `a level says what it saved and names the objects`() async throws {
    let bench = try Bench()
    let context = bench.child("Import", of: bench.mainContext)
    let company = Company.named("acme", in: context)
    for number in 0..<3 { Person.named("\(number)", at: company, in: context) }
    try await context.save(toPersistentStore: true)
    let saved = lines(bench, "Saved ")
    #expect(
      saved.map(\.message) == [
        "Saved \(context)", "Saved \(bench.mainContext)", "Saved \(bench.root)",
      ])
    #expect(saved.allSatisfy { $0.level == .debug && $0.metadata["inserted"] == "4" })
    let names = "\(saved.last?.metadata["objects"] ?? "")"
    #expect(names.contains("Company p1") && names.contains("Person p1 p2 p3"))
    #expect(saved.last?.metadata["rows"] == "4")
  }

  @Test func `a line names no more objects than fit`() throws {
    let bench = try Bench()
    let context = bench.child()
    for number in 0..<100 { Person.named("\(number)", in: context) }
    try context.save()
    let names = "\(lines(bench, "Saved ").last?.metadata["objects"] ?? "")"
    #expect(names.hasPrefix("Person p1 p2 ") && names.hasSuffix("p20 and 80 more"))
  }

  @Test func `a conflict with a waiting save names both saves`() throws {
    let bench = try Bench()
    let (mine, id) = try quarrel(bench)
    let error = cauldronError { try mine.save() }
    #expect(error?.code == .saveConflict)
    #expect(error?.save?.contextName == "Mine" && error?.otherSave?.contextName == "Theirs")
    let failures = failures(bench)
    #expect(failures.count == 1)
    let metadata = try #require(failures.first?.metadata)
    #expect(metadata["code"] == "save.conflict" && metadata["property"] == "age")
    #expect(metadata["object"] == "\(id)" && metadata["values"] == nil)
    try expectParties(metadata)
  }

  @Test(arguments: StoreKind.allCases)
  func `a conflict with a committed save names both saves`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let (mine, _) = try quarrel(bench)
    try bench.root.saveAndWait(toPersistentStore: true)
    let error = cauldronError { try mine.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    let failures = failures(bench)
    #expect(failures.count == 1)
    try expectParties(#require(failures.first?.metadata))
  }

  /// What is logged of saves that fail; a busy machine has threads wait, which is told of, too.
  private func failures(_ bench: Bench) -> [LogCapture.Line] {
    bench.log.lines.filter { $0.level >= .warning && $0.metadata["code"] != nil }
  }

  private func expectParties(_ metadata: Logger.Metadata) throws {
    guard case .dictionary(let mine) = metadata["mine"],
      case .dictionary(let theirs) = metadata["theirs"]
    else {
      Issue.record("the parties are missing: \(metadata)")
      return
    }
    #expect(mine["context"] == "Mine" && theirs["context"] == "Theirs")
    #expect("\(mine["at"] ?? "")".contains("SaveOutcomeLogTests.swift:"))
    #expect("\(theirs["at"] ?? "")".contains("SaveOutcomeLogTests.swift:"))
    #expect(mine["save"] != theirs["save"] && mine["save"] != "0" && theirs["save"] != "0")
  }

  @Test func `values are logged where the stack is asked to, and nowhere else`() throws {
    let bench = try Bench { $0.showsValues = true }
    let (mine, _) = try quarrel(bench)
    _ = cauldronError { try mine.save() }
    let metadata = try #require(bench.log.lines.last { $0.level == .error }?.metadata)
    let values = "\(metadata["values"] ?? "")"
    #expect(values.contains("age") && values.contains("3"))
    #expect(!values.contains("jack"))
  }

  @Test func `a save has the name that it was given, or that of its line`() async throws {
    let bench = try Bench()
    try await bench.stack.save(named: "Import") { Person.named("a", in: $0.context).age = 1 }
    try await bench.stack.save { _ = Person.named("b", in: $0.context) }
    let arrows = lines(bench, "→")
    #expect(arrows.first?.message.contains("): Import> on a background thread") == true)
    #expect(arrows.prefix(2).allSatisfy { $0.metadata["name"] == "Import" })
    #expect(arrows[2].message.contains("): Saving Context> on"))
    let place = "\(arrows[2].metadata["at"] ?? "")"
    #expect(place.contains("SaveOutcomeLogTests.swift:") && arrows[3].metadata["at"] == "\(place)")
    #expect(arrows[2...].allSatisfy { $0.metadata["name"] == nil })
  }

  @Test func `own changes that stay unsaved are logged with the reason`() async throws {
    let bench = try Bench()
    let bad = bench.onMain { Person.create(in: $0).objectID }
    let context = bench.child("Child", of: bench.mainContext)
    Person.named("good", in: context)
    try await context.save(toPersistentStore: true)
    let warnings = failures(bench)
    #expect(
      warnings.map(\.message)
        == ["Own changes of \(bench.mainContext) stay unsaved: Person.name is required."])
    #expect(warnings.first?.metadata["code"] == "validation.missing")
    #expect(warnings.first?.metadata["object"] == "\(bad)")
    let part = lines(bench, "Saved a part of")
    #expect(part.count == 1 && part.first?.metadata["refused"] == "1")
    #expect(part.first?.metadata["inserted"] == "1")
  }

  @Test func `a merge says what it took in and what it left as it is`() throws {
    let bench = try Bench()
    let maker = bench.child("Maker")
    let jack = Person.named("jack", age: 1, in: maker)
    let jill = Person.named("jill", age: 1, in: maker)
    try maker.save()
    let reader = bench.child("Reader")
    let mine = try Person.findAll(sortedBy: \.name, in: reader)
    mine[0].age = 5
    jack.age = 2
    jill.age = 2
    let stored = Locked<ContextChange?>(nil)
    let observation = maker.observe { change in
      if change.kind == .didSave { stored.withLock { $0 = change } }
    }
    try maker.save()
    observation.cancel()
    let change = stored.withLock { $0 }
    try reader.mergeChanges(fromContextDidSave: #require(change))
    let line = try #require(lines(bench, "Took in what others saved: \(reader)").last)
    #expect(line.level == .debug && line.metadata["updated"] == "2")
    #expect("\(line.metadata["objects"] ?? "")" == "Person p1 p2")
    #expect(line.metadata["kept"] == ["Person p1: age"])
    #expect(mine[0].age == 5 && mine[1].age == 2)
  }

  @Test func `what could not be read is logged with its object`() throws {
    let bench = try Bench(.file)
    let maker = bench.child()
    let id = Person.named("jack", in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let reader = ManagedObjectContext(.private, coordinator: bench.stack.coordinator)
    let person = reader.object(with: id)
    try bench.stack.close()
    #expect(person.value(forKey: "name") == nil)
    let failures = failures(bench)
    #expect(failures.count == 1 && failures.first?.metadata["object"] == "\(id)")
    #expect(failures.first?.metadata["code"] == "stack.closed")
  }
}
