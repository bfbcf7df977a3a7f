import Cauldron
import CauldronMagicalRecord
import Foundation
import Testing

extension OldCalls {
  @Suite struct PredicateTests {
    /// The names of the sailors that a predicate selects.
    @available(*, deprecated)
    @MainActor private func names(_ predicate: NSPredicate) -> String? {
      Sailor.mr_findAllSorted(by: "name", ascending: true, with: predicate)?.names
    }

    @available(*, deprecated)
    @Test @MainActor func `each placeholder takes its argument`() throws {
      let born = Date(timeIntervalSinceReferenceDate: -25)
      let argo = try #require(try Ship.findFirst())
      #expect(names(NSPredicate(format: "name == %@", "Bob")) == "Bob")
      #expect(names(NSPredicate(format: "%K == %@", "name", "Bob")) == "Bob")
      #expect(names(NSPredicate(format: "%K.%K == %@", "ship", "name", "Argo")) == "Ann")
      #expect(names(NSPredicate(format: "age > %d", 20)) == "Ann Cyd")
      #expect(names(NSPredicate(format: "age > %i", Int16(20))) == "Ann Cyd")
      #expect(names(NSPredicate(format: "age > %ld", Int64(30))) == "Cyd")
      #expect(names(NSPredicate(format: "age > %lld", 30)) == "Cyd")
      #expect(names(NSPredicate(format: "age > %u", UInt32(30))) == "Cyd")
      #expect(names(NSPredicate(format: "age > %lu", UInt(30))) == "Cyd")
      #expect(names(NSPredicate(format: "age > %f", 29.5)) == "Ann Cyd")
      #expect(names(NSPredicate(format: "age > %f", Float(29.5))) == "Ann Cyd")
      #expect(names(NSPredicate(format: "name == %s", "Bob")) == "Bob")
      #expect(names(NSPredicate(format: "born > %@", born)) == "Bob")
      #expect(names(NSPredicate(format: "ship == %@", argo)) == "Ann")
      #expect(names(NSPredicate(format: "SELF IN %@", [argo.sailors.first])) == "Ann")
      #expect(names(NSPredicate(format: "age IN %@", [20, 40])) == "Bob Cyd")
      #expect(names(NSPredicate(format: "age BETWEEN %@", [20, 30])) == "Ann Bob")
      #expect(names(NSPredicate(format: "ship == %@", nil)) == "Bob Cyd")
      #expect(names(NSPredicate(format: "name BEGINSWITH[cd] %@ AND age < 99", "à")) == "Ann")
      #expect(names(NSPredicate(format: "age > 20")) == "Ann Cyd")
    }

    @available(*, deprecated)
    @Test @MainActor func `Foundation's objects stand for values`() throws {
      let born = NSDate(timeIntervalSinceReferenceDate: -25)
      #expect(names(NSPredicate(format: "age > %@", NSNumber(value: 20))) == "Ann Cyd")
      #expect(names(NSPredicate(format: "age > %d", NSNumber(value: 20))) == "Ann Cyd")
      #expect(names(NSPredicate(format: "age > %@", NSNumber(value: 29.5))) == "Ann Cyd")
      #expect(names(NSPredicate(format: "pay > %@", NSDecimalNumber(string: "29.5"))) == "Ann Cyd")
      #expect(names(NSPredicate(format: "name == %@", NSString("Bob"))) == "Bob")
      #expect(names(NSPredicate(format: "born > %@", born)) == "Bob")
      #expect(names(NSPredicate(format: "ship == %@", NSNull())) == "Bob Cyd")
      let ages = NSArray(array: [NSNumber(value: 20), NSNumber(value: 30)])
      #expect(names(NSPredicate(format: "age IN %@", ages)) == "Ann Bob")
      #expect(names(NSPredicate(format: "age IN %@", NSSet(array: [40]))) == "Cyd")
      let name: String? = "Bob"
      #expect(names(NSPredicate(format: "name == %@", name)) == "Bob")
    }

    @available(*, deprecated)
    @Test @MainActor func `arguments are never text of the condition`() throws {
      #expect(names(NSPredicate(format: "name == %@", "x' OR 1 == 1 OR name == 'y")) == "")
      #expect(names(NSPredicate(format: "name == %@", "%@ %K %d")) == "")
      #expect(names(NSPredicate(format: "name == '%@' OR name == %@", "Bob")) == "Bob")
      #expect(names(NSPredicate(format: "name == %@", argumentArray: ["Bob"])) == "Bob")
    }

    @available(*, deprecated)
    @Test @MainActor func `arguments that do not fit are errors`() throws {
      let errors = OldCalls.errors {
        #expect(names(NSPredicate(format: "age > %d")) == nil)
        #expect(names(NSPredicate(format: "age > 3", 4)) == nil)
        #expect(names(NSPredicate(format: "age > %d", "3")) == nil)
        #expect(names(NSPredicate(format: "age > %f", "3")) == nil)
        #expect(names(NSPredicate(format: "%K > 3", 3)) == nil)
        #expect(names(NSPredicate(format: "age > %@", Thread.current)) == nil)
      }
      #expect(errors.map(\.code) == Array(repeating: .queryTypeMismatch, count: 6))
    }

    @available(*, deprecated)
    @Test @MainActor func `predicates are joined, and may be true or false`() throws {
      let red = NSPredicate(format: "crew == %@", "red")
      let young = NSPredicate(format: "age < %d", 35)
      typealias Compound = NSCompoundPredicate
      #expect(names(Compound(andPredicateWithSubpredicates: [red, young])) == "Ann")
      #expect(names(Compound(orPredicateWithSubpredicates: [red, young])) == "Ann Bob Cyd")
      #expect(names(Compound(notPredicateWithSubpredicate: red)) == "Bob")
      #expect(names(Compound(andPredicateWithSubpredicates: [])) == "Ann Bob Cyd")
      #expect(names(NSPredicate(value: true)) == "Ann Bob Cyd")
      #expect(names(NSPredicate(value: false)) == "")
    }

    @available(*, deprecated)
    @Test @MainActor func `one that is made of a block cannot be found with`() throws {
      let errors = OldCalls.errors {
        #expect(names(NSPredicate { _, _ in true }) == nil)
      }
      #expect(errors.first?.message == "Cannot find with a predicate that is made of a block.")
    }

    @available(*, deprecated)
    @Test func `a predicate tells its format, and is equal to one of the same condition`() throws {
      let one = NSPredicate(format: "age >= %d", 18)
      #expect(one.predicateFormat == "age >= 18")
      #expect("\(one)" == "age >= 18")
      #expect(one == NSPredicate(format: "age >= 18"))
      #expect(one.hash == NSPredicate(format: "age >= 18").hash)
      #expect(one != NSPredicate(format: "age >= 19"))
      #expect(one != NSPredicate(value: false) && NSPredicate(value: false) != one)
      #expect(one.copy() as? NSPredicate === one)
      #expect(NSPredicate(format: "age >=").predicateFormat == "age >=")
      #expect(try PredicateNode(one) == PredicateNode(format: "age >= 18"))
    }
  }
}
