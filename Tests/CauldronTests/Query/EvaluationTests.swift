import Cauldron
import TestSupport
import Testing

/// Conditions that are asked of one object.
@Suite struct EvaluationTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench()
    context = bench.child()
    let ann = Person.named("ann", age: 17, in: context)
    let bob = Person.named("bob", age: 30, in: context)
    ann.employer = Company.named("Acme", in: context)
    try context.saveAndWait(toPersistentStore: true)
    _ = bob
  }

  private func person(_ name: String) throws -> Person {
    try #require(try Person.findFirst(where: \.name == name, in: context))
  }

  @Test func `a condition holds for an object as it holds in a fetch`() throws {
    let (ann, bob) = (try person("ann"), try person("bob"))
    let adult = try PredicateNode(format: "age >= %@", 18)
    #expect(try !adult.evaluate(with: ann) && adult.evaluate(with: bob))
    let employed = try PredicateNode(format: "employer.name BEGINSWITH[c] 'ac'")
    #expect(try employed.evaluate(with: ann) && !employed.evaluate(with: bob))
    #expect(try PredicateNode.and([adult, .not(employed)]).evaluate(with: bob))
    #expect(try PredicateNode.or([adult, employed]).evaluate(with: ann))
    #expect(try PredicateNode.constant(true).evaluate(with: ann))
    #expect(try !PredicateNode.constant(false).evaluate(with: ann))
  }

  @Test func `unsaved values decide, and of a new object, too`() throws {
    let adult = try PredicateNode(format: "age >= %@", 18)
    let ann = try person("ann")
    ann.age = 18
    #expect(try adult.evaluate(with: ann))
    #expect(try adult.evaluate(with: Person.named("cid", age: 40, in: context)))
  }

  @Test func `nothing holds for a deleted object, and one without a context`() throws {
    let (ann, bob) = (try person("ann"), try person("bob"))
    ann.delete()
    #expect(try !PredicateNode.constant(true).evaluate(with: ann))
    context.reset()
    #expect(try !PredicateNode.constant(true).evaluate(with: bob))
  }

  @Test func `a condition that the entity cannot have is refused`() throws {
    let ann = try person("ann")
    let wrong = try PredicateNode(format: "agee > 3")
    #expect(throws: CauldronError.self) { try wrong.evaluate(with: ann) }
  }
}
