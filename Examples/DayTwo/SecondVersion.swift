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

  @MainActor static func run(_ url: URL) async throws {
    let model = try ManagedObjectModel(Person.self, Company.self)
    var configuration = StackConfiguration.quiet
    configuration.migration = .plan(plan)
    let forecast = try Stack.migrationForecast(
      storeURL: url, model: model, configuration: configuration)
    tell(forecast)
    let bar = Bar()
    let stack = try await Stack(
      storeURL: url, model: model, configuration: configuration, onMigration: bar.show)
    if forecast.isNeeded { bar.end() }
    let people = try Person.findAll(in: stack.defaultContext)
    let wrong = people.filter { !isRight($0) }
    print("version 2: \(people.count) people, \(wrong.count) of them wrong")
    print("the store as it was: \(Stack.backupURL(storeURL: url).lastPathComponent)")
    try stack.close()
  }

  /// What a program would show before it goes on.
  private static func tell(_ forecast: MigrationForecast) {
    for change in forecast.changes { print("  \(change)") }
    for step in forecast.steps { print("  step: \(step)") }
    for loss in forecast.losses { print("  lost: \(loss.count ?? 0) values of \(loss.name)") }
    for problem in forecast.problems { print("  problem: \(problem)") }
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
