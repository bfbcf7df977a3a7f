import Cauldron
import Foundation

// The classes of the second day.

@Entity(discards: ["fax: String"]) final class Person: ManagedObject {
  // The parts of the name, which a step splits.
  var first: String
  var last: String?
  // Renamed.
  @Attribute(originalName: "label") var title: String?
  // Made required: the default is that of the people who have none.
  var mail: String = "unknown"
  // Added.
  var rank: Int = 1
  // One employer has become several.
  @Relationship(inverse: \Company.staff, originalName: "employer") var employers: ToMany<Company>
}

@Entity final class Company: ManagedObject {
  var name: String
  @Relationship var staff: ToMany<Person>
}

/// Brings the people over, and looks at each.
enum SecondVersion {
  private static let plan = MigrationPlan {
    MigrationStep(
      "split name", needs: ["Person.name"], discards: ["Person.name: String"]
    ) { step in
      try step.each("Person") { old, new in
        let name: String = old["name"] ?? ""
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        new["first"] = parts.first ?? ""
        new["last"] = parts.count > 1 ? parts[1] : nil
      }
    }
  }

  static func run(_ url: URL) throws {
    let model = try ManagedObjectModel(Person.self, Company.self)
    var configuration = StackConfiguration.quiet
    configuration.migration = .plan(plan)
    let stack = try Stack(storeURL: url, model: model, configuration: configuration)
    let context = stack.defaultContext
    let people = try Person.findAll(in: context)
    let wrong = people.filter { !isRight($0) }
    print("version 2: \(people.count) people, \(wrong.count) of them wrong")
    let backup = Stack.backupURL(storeURL: url).lastPathComponent
    print("the store as it was: \(backup)")
    try stack.close()
  }

  /// Whether a person is what the first version wrote, in the classes of the second.
  private static func isRight(_ person: Person) -> Bool {
    guard let number = Int(person.first.dropFirst("First".count)) else { return false }
    return person.first == Sample.first(number) && person.last == Sample.last(number)
      && person.title == Sample.label(number)
      && person.mail == Sample.mail(number) ?? "unknown" && person.rank == 1
      && person.employers.map(\.name) == Sample.employer(number).map { [Sample.company($0)] } ?? []
  }
}
