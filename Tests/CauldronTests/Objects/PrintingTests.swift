import Cauldron
import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct PrintingTests {
  @Test func `an object prints its entity, its ID and what is not saved`() throws {
    let bench = try Bench()
    let context = bench.child()
    let person = Person.named("jack", in: context)
    let id = "x-coredata://\(bench.stack.coordinator.storeIdentifier)/Person/p1"
    #expect("\(person)" == "<Person \(id) (inserted)>")
    try context.save()
    #expect("\(person)" == "<Person \(id)>")
    person.name = "john"
    person.age = 7
    #expect("\(person)" == "<Person \(id) (updated: name, age)>")
    person.delete()
    #expect("\(person)" == "<Person \(id) (deleted)>")
    context.rollback()
    #expect("\(person)" == "<Person \(id)>")
  }

  @Test func `printing a fault reads nothing`() throws {
    let bench = try Bench(.file)
    let maker = bench.child()
    let id = Person.named("jack", in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let person = bench.committed().object(with: id)
    #expect("\(person)" == "<Person \(id) (fault)>")
    #expect(String(reflecting: person) == "<Person \(id) (fault)>")
    var dumped = ""
    dump(person, to: &dumped)
    #expect(person.isFault && dumped.contains("objectID") && !dumped.contains("jack"))
  }

  @Test func `the debug description has the values that were read, on one line`() throws {
    let bench = try Bench()
    let person = Person.named("a\nb", age: 3, in: bench.child())
    person.email = String(repeating: "x", count: 100)
    let text = String(reflecting: person)
    #expect(
      text.hasPrefix("<Person \(person.objectID) (inserted) name: \"a\\nb\", age: 3, email: "))
    #expect(text.contains("birthday: nil") && !text.contains("\n"))
    #expect(text.count < 400)
    let children = Mirror(reflecting: person).children
    #expect(children.contains { $0.label == "age" && "\($0.value)" == "3" })
  }

  @Test func `an object prints on any thread, and after its context`() async throws {
    final class Box: @unchecked Sendable {
      let person: Person
      init(_ person: Person) { self.person = person }
    }
    let bench = try Bench()
    let text = await bench.child().perform { local -> String in
      let box = Box(Person.named("jack", in: local.context))
      let text = Locked("")
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        text.withLock { $0 = "\(box.person)" }
      }
      return text.withLock { $0 }
    }
    #expect(text.hasSuffix("/Person/p1 (inserted)>"))
    var context: ManagedObjectContext? = bench.child()
    let person = context.map { Person.named("jack", in: $0) }
    context?.rollback()
    context = nil
    #expect(person.map { "\($0)" }?.hasSuffix("(gone)>") == true)
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
    #expect(
      "\(bench.stack)"
        == "<Stack \"\(url.path)\" (writerRoot, model \"Model\": Company, Passport, Person)>")
    #expect("\(try Bench().stack)".hasPrefix("<Stack in memory (writerRoot"))
    let id = Person.named("x", in: context).objectID
    var dumped = ""
    dump(id, to: &dumped)
    #expect(dumped == "- \(id)\n" && String(reflecting: id) == "\(id)")
  }
}

@Entity final class Note: ManagedObject {
  var description: String?
}
