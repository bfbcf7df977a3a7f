import Cauldron
import Foundation

@Entity final class Person: ManagedObject {
  var name: String
  var age: Int = 0
  var email: String?
  var birthday: Date?
  @Relationship(inverse: \Company.employees) var employer: Company?
  @Relationship(inverse: \Passport.holder) var passport: Passport?
}

@Entity final class Company: ManagedObject {
  var name: String
  var rating: Double?
  @Relationship var employees: ToMany<Person>
}

@Entity final class Passport: ManagedObject {
  var number: Int = 0
  @Relationship var holder: Person?
}

enum Office {
  /// People with unique e-mail addresses, companies and passports.
  static func model() throws -> ManagedObjectModel {
    var person = Person._describeEntity()
    person.uniquenessConstraints = [["email"]]
    return try ManagedObjectModel(
      entities: [person, Company._describeEntity(), Passport._describeEntity()])
  }
}

extension Person {
  @discardableResult
  static func named(
    _ name: String, age: Int = 0, at employer: Company? = nil, in context: ManagedObjectContext
  ) -> Person {
    let person = create(in: context)
    person.name = name
    person.age = age
    if let employer { person.employer = employer }
    return person
  }

  /// The names of all people as a context sees them, in alphabetical order.
  static func names(in context: ManagedObjectContext) throws -> [String] {
    try findAll(sortedBy: \.name, in: context).map(\.name)
  }
}

extension Company {
  static func named(_ name: String, in context: ManagedObjectContext) -> Company {
    let company = create(in: context)
    company.name = name
    return company
  }
}
