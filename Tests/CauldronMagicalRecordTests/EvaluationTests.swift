import Cauldron
import CauldronMagicalRecord
import Foundation
import Testing

extension OldCalls {
  @Suite struct EvaluationTests {
    @available(*, deprecated)
    @Test @MainActor func `a predicate is evaluated with an object, unsaved changes included`()
      throws
    {
      let bob = try #require(try Sailor.findFirst(\.name, "Bob"))
      let adult = NSPredicate(format: "age >= %d", 30)
      #expect(!adult.evaluate(with: bob))
      bob.age = 31
      #expect(adult.evaluate(with: bob))
      let dan = Sailor.create()
      dan.name = "Dan"
      #expect(NSPredicate(format: "name == 'Dan'").evaluate(with: dan))
      let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
        adult, NSPredicate(format: "crew == %@", "blue"),
      ])
      #expect(both.evaluate(with: bob) && !both.evaluate(with: dan))
    }

    @available(*, deprecated)
    @Test @MainActor func `a list is filtered`() throws {
      let all = NSArray(array: try Sailor.findAll(sortedBy: \.name))
      let found = all.filtered(using: NSPredicate(format: "crew == %@", "red"))
      #expect((found as? [Sailor])?.names == "Ann Cyd")
    }

    @available(*, deprecated)
    @Test @MainActor func `variables get their values, where it is evaluated or before`() throws {
      let bob = try #require(try Sailor.findFirst(\.name, "Bob"))
      let predicate = NSPredicate(format: "age >= $least")
      #expect(predicate.evaluate(with: bob, substitutionVariables: ["least": 20]))
      #expect(!predicate.evaluate(with: bob, substitutionVariables: ["least": NSNumber(value: 21)]))
      let adults = predicate.withSubstitutionVariables(["least": 30])
      #expect(Sailor.mr_countOfEntities(with: adults) == 2)
      #expect(!adults.evaluate(with: bob))
      let errors = OldCalls.errors { #expect(!predicate.evaluate(with: bob)) }
      #expect(errors.map(\.code) == [.queryTypeMismatch])
    }

    @available(*, deprecated)
    @Test @MainActor func `what is no managed object is an error, and false`() throws {
      let errors = OldCalls.errors {
        #expect(!NSPredicate(format: "age > 3").evaluate(with: ["age": 4]))
        #expect(!NSPredicate(format: "age > 3").evaluate(with: nil))
      }
      #expect(errors.map(\.code) == [.queryUnsupported, .queryUnsupported])
      #expect(errors.last?.message == "Cannot evaluate \"age > 3\" with nil.")
    }

    @available(*, deprecated)
    @Test @MainActor func `a deleted object fulfils nothing`() throws {
      let bob = try #require(try Sailor.findFirst(\.name, "Bob"))
      bob.delete()
      #expect(!NSPredicate(format: "age > 3").evaluate(with: bob))
    }
  }
}
