import Cauldron
import Foundation

// The classes of the first day. They are called like that only because both days are in one program
// here; to the store they are Person and Company.

@Entity("Person") final class FirstPerson: ManagedObject {
  var name: String
  var label: String?
  var mail: String?
  var fax: String?
  @Relationship(inverse: \FirstCompany.staff) var employer: FirstCompany?
}

@Entity("Company") final class FirstCompany: ManagedObject {
  var name: String
  @Relationship var staff: ToMany<FirstPerson>
}

/// Writes the people, or is refused by a store of the second version.
enum FirstVersion {
  static func run(_ url: URL) throws {
    let model = try ManagedObjectModel(FirstPerson.self, FirstCompany.self)
    do {
      let stack = try Stack(storeURL: url, model: model, configuration: .quiet)
      try stack.saveAndWait { write(in: $0) }
      try stack.close()
      print("version 1: \(Sample.people) people in \(Sample.companies) companies")
    } catch let error as CauldronError {
      let codes = Set((error.details.isEmpty ? [error] : error.details).map(\.code.rawValue))
      print("version 1: refused, \(codes.sorted().joined(separator: ", ")); nothing has changed")
    }
  }

  private static func write(in context: LocalContext) {
    let companies = (0..<Sample.companies).map { number in
      let company = FirstCompany.create(in: context)
      company.name = Sample.company(number)
      return company
    }
    for number in 0..<Sample.people {
      let person = FirstPerson.create(in: context)
      person.name = "\(Sample.first(number)) \(Sample.last(number))"
      person.label = Sample.label(number)
      person.mail = Sample.mail(number)
      person.fax = "fax \(number)"
      person.employer = Sample.employer(number).map { companies[$0] }
    }
  }
}
