import Cauldron
import TestSupport
import Testing

/// A context that is busy for long takes in what hundreds of saves have done meanwhile.
@Suite(.againstHanging) struct BusyWalkTests {
  @Test func `a relationship that was walked before shows what came into it`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let company = Company.named("acme", in: parent)
    let person = Person.named("jack", in: parent)
    try parent.save()
    parent.performAndWait { _ in
      #expect(company.employees.isEmpty)
      let child = bench.child("Child", of: parent)
      let mine = try? child.existingObject(with: person.objectID) as? Person
      mine?.employer = try? child.existingObject(with: company.objectID) as? Company
      #expect(throws: Never.self) { try child.save() }
      for number in 0..<300 {
        Passport.create(in: child).number = number
        #expect(throws: Never.self) { try child.save() }
      }
    }
    parent.performAndWait { _ in
      #expect(person.employer === company && company.employees.map(\.name) == ["jack"])
    }
  }
}
