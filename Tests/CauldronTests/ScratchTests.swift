import Cauldron
import Foundation
import Testing

@Entity final class Person: ManagedObject {
  var name: String
  var age: Int = 0
  var birthday: Date?
  @Relationship(inverse: \Company.employees) var employer: Company?
}

@Entity final class Company: ManagedObject {
  var name: String
  @Relationship var employees: ToMany<Person>
}

@Test func `a saved object is found again`() async throws {
  let stack = try Stack(storeURL: nil, model: ManagedObjectModel(Person.self, Company.self))
  let context = ManagedObjectContext.contextWithParent(stack.rootSavingContext)
  let person = Person.create(in: context)
  person.name = "jack"
  try await context.save(toPersistentStore: true)
  let found = try await stack.rootSavingContext.perform { context in
    try Person.findAll(where: \.age >= 0 && .beginsWith(\.name, "j"), sortedBy: \.name, in: context).map(\.name)
  }
  #expect(found == ["jack"])
}
