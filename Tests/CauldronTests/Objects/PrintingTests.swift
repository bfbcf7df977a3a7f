import Cauldron
import Foundation
import Logging
import TestSupport
import Testing

@Suite(.againstHanging) struct PrintingTests {
  @Test func `an object prints its key, its context, what is not saved, and its values`() throws {
    let bench = try Bench()
    let context = bench.child("Drafts")
    let person = Person.named("jack", in: context)
    let rest = "email: nil, birthday: nil, employer: nil, passport: nil>"
    #expect("\(person)" == "<Person p1 of Drafts, inserted: name: \"jack\", age: 0, \(rest)")
    try context.save()
    #expect("\(person)" == "<Person p1 of Drafts: name: \"jack\", age: 0, \(rest)")
    person.name = "john"
    person.age = 7
    #expect("\(person)" == "<Person p1 of Drafts, changed: name: \"john\", age: 7, \(rest)")
    #expect(
      String(reflecting: person)
        == "<Person \(person.objectID) of Drafts, changed: name: \"john\" (was \"jack\"),"
        + " age: 7 (was 0), \(rest)")
    person.delete()
    #expect("\(person)".hasPrefix("<Person p1 of Drafts, deleted: name: "))
    context.rollback()
    #expect("\(person)".hasPrefix("<Person p1 of Drafts: name: \"jack\", age: 0, "))
  }

  @Test func `what a child has saved into a context prints as changed there`() throws {
    let bench = try Bench()
    let context = bench.child("Drafts")
    let person = Person.named("jack", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let id = person.objectID
    try bench.child("Session", of: context).performAndWait { local in
      try local.context.object(with: id).setValue(9, forKey: "age")
      try local.context.save()
    }
    let text = context.performAndWait { "\($0.context.object(with: id))" }
    #expect(text.hasPrefix("<Person p1 of Drafts, changed: name: \"jack\", age: 9,"), "\(text)")
    withExtendedLifetime(person) {}
  }

  @Test func `relationships print their key and their number, if they were read`() throws {
    let log = LogCapture(.trace)
    let bench = try Bench(.file) { $0.logger = log.logger }
    let context = bench.child("Drafts")
    let company = Company.named("Initech", in: context)
    for name in ["jack", "jill"] { Person.named(name, at: company, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    let before = try #require(try Company.findFirst(in: reader))
    let unread = "<Company p1 of Observer: name: \"Initech\", rating: nil, employees: not read>"
    #expect("\(before)" == unread)
    let reads = log.reads.count
    #expect(reads > 0)
    #expect("\(before)" == unread && String(reflecting: before).contains("employees: not read"))
    _ = "\(bench.stack)"
    #expect(log.reads.count == reads)
    let people = before.employees.objects
    #expect("\(before)".hasSuffix("employees: 2>"))
    #expect(people.allSatisfy { "\($0)".contains("employer: Company p1, passport: nil>") })
    people.first?.employer = nil
    #expect("\(before)".hasSuffix("employees: 1>"))
  }

  @Test func `printing a fault reads nothing`() throws {
    let bench = try Bench(.file)
    let maker = bench.child()
    let id = Person.named("jack", in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let person = bench.committed().object(with: id)
    #expect("\(person)" == "<Person p1 of Observer, fault>")
    #expect(String(reflecting: person) == "<Person \(id) of Observer, fault>")
    var dumped = ""
    dump(person, to: &dumped)
    #expect(person.isFault && dumped.contains("objectID") && !dumped.contains("jack"))
    #expect(dumped.contains("- state: fault\n") && !dumped.contains("super"))
  }

  @Test func `long values are cut, and a dump has a line for each`() throws {
    let bench = try Bench()
    let person = Person.named("a\nb", age: 3, in: bench.child())
    person.email = String(repeating: "ä", count: 100_000)
    person.birthday = Date(timeIntervalSinceReferenceDate: 0)
    let text = String(reflecting: person)
    let cut = String(repeating: "ä", count: 40)
    #expect(text.contains("name: \"a\\nb\", age: 3, email: \"\(cut)\"…,"))
    #expect(text.contains("birthday: 2001-01-01 00:00:00 +0000,") && !text.contains("\n"))
    person.birthday = Date(timeIntervalSinceReferenceDate: .infinity)
    #expect("\(person)".contains("birthday: inf s,"))
    let children = Mirror(reflecting: person).children
    #expect(children.contains { $0.label == "age" && "\($0.value)" == "3" })
    var dumped = ""
    dump(person, to: &dumped)
    #expect(dumped.contains("\n  - state: inserted\n  - name: \"a\\nb\"\n  - age: 3\n"))
  }

  @Test func `an object prints on any thread, and after its context`() async throws {
    final class Box: @unchecked Sendable {
      let person: Person
      init(_ person: Person) { self.person = person }
    }
    let bench = try Bench()
    await bench.child().perform { local in
      let box = Box(Person.named("jack", in: local.context))
      let text = elsewhere { "\(box.person) \(String(reflecting: box.person))" }
      #expect(text.hasPrefix("<Person p1 of Child, on another queue> <Person x-coredata://"))
      #expect(!text.contains("jack") && "\(box.person)".contains("jack"))
    }
    // Whoever prints first after a save does not claim the context for it.
    let context = bench.child("Drafts")
    let box = Box(Person.named("jill", in: context))
    try await context.save()
    let text = elsewhere { "\(box.person)" }
    let key = box.person.objectID.uriRepresentation.lastPathComponent
    #expect(text.hasPrefix("<Person \(key) of Drafts: name: \"jill\""))
    box.person.age = 1
    #expect(elsewhere { "\(box.person)" } == "<Person \(key) of Drafts, on another queue>")
    var short: ManagedObjectContext? = bench.child("Short")
    let person = try #require(short.map { Person.named("jack", in: $0) })
    short?.rollback()
    #expect("\(person)".hasSuffix(" of Short, gone>"))
    short = nil
    #expect("\(person)".hasSuffix(" of Short, its context is gone>"))
  }

  @Test func `threads print an object while it is edited`() throws {
    final class Box: @unchecked Sendable {
      let person: Person
      init(_ person: Person) { self.person = person }
    }
    let bench = try Bench()
    let context = bench.child("Drafts")
    let box = context.performAndWait { Box(Person.named("jack", in: $0.context)) }
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for round in 0..<200 {
        if number == 0 {
          context.performAndWait { _ in box.person.name = String(repeating: "x", count: round) }
        } else {
          let text = "\(box.person)"
          #expect(text.hasPrefix("<Person p1 of Drafts, ") && text.hasSuffix(">"))
        }
      }
    }
  }

  @Test func `an entity may have a property called description`() throws {
    let model = try ManagedObjectModel(Note.self)
    let bench = try Bench(.memory, model: model)
    let note = Note.create(in: bench.child())
    note.description = "text"
    #expect(note.description == "text" && note.hasChanges)
  }

  @Test func `contexts and stacks print what they are`() throws {
    let bench = try Bench(.file)
    let context = bench.child("Drafts", of: bench.mainContext)
    Person.named("jack", in: context)
    #expect(try Person.count(in: context) == 1)
    let text = String(reflecting: context)
    #expect(text.hasPrefix("<ManagedObjectContext (0x"))
    #expect(text.hasSuffix("): Drafts, private queue, child of Default Context, 1 unsaved>"))
    #expect(String(reflecting: bench.root).contains("on the store, 0 unsaved"))
    let url = try #require(bench.stack.coordinator.storeURL)
    let lines = "\(bench.stack)".split(separator: "\n")
    #expect(
      lines == [
        "<Stack \"\(url.path)\" (writerRoot, model \"Model\": Company, Passport, Person)>",
        "└ Root Saving Context: private queue", "  └ Default Context: main queue",
        "    └ Drafts: private queue, 1 unsaved",
      ])
    #expect("\(try Bench().stack)".hasPrefix("<Stack in memory (writerRoot"))
    let others = (0..<14).map { bench.child("Child \(10 + $0)", of: context) }
    #expect("\(bench.stack)".hasSuffix("      ├ Child 21: private queue\n      └ and 2 more"))
    withExtendedLifetime(others) {}
    let id = Person.named("x", in: context).objectID
    var dumped = ""
    dump(id, to: &dumped)
    #expect(dumped == "- \(id)\n" && String(reflecting: id) == "\(id)")
  }
}

extension PrintingTests {
  @Test func `a stack prints its saves and how far they have come`() async throws {
    let bench = try Bench()
    let context = bench.child("Drafts", of: bench.mainContext)
    await context.perform { _ = Person.named("jack", in: $0.context) }
    let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    bench.main.async {
      reached.signal()
      goOn.wait()
    }
    reached.wait()
    async let outcome = context.save(toPersistentStore: true)
    var line = ""
    for _ in 0..<1_000 where !line.hasSuffix("waits after Drafts, 1/3") {
      line = "\(bench.stack)".split(separator: "\n").last.map(String.init) ?? ""
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(line.hasPrefix("save 1 (") && line.hasSuffix("waits after Drafts, 1/3"))
    goOn.signal()
    _ = try await outcome
    #expect(!"\(bench.stack)".contains("save 1"))
  }
}

/// What a block gives on a thread of its own.
private func elsewhere(_ body: @escaping @Sendable () -> String) -> String {
  let text = Locked("")
  let thread = Thread { text.withLock { $0 = body() } }
  thread.start()
  while !thread.isFinished { usleep(100) }
  return text.withLock { $0 }
}

@Entity final class Note: ManagedObject {
  var description: String?
}
