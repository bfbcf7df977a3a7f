import Cauldron
import Foundation

@Entity final class Person: ManagedObject {
  var name: String
  var age: Int = 0
  @Attribute(.indexed) var team: String?
  @Relationship(inverse: \Company.employees) var employer: Company?
}

@Entity final class Company: ManagedObject {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .nullify) var employees: ToMany<Person>
}

try setupStack(storeURL: URL(filePath: "people.sqlite"))

try await Stack.default.save { context in
  let jack = Person(context: context)
  jack.name = "jack"
  jack.age = 30
  jack.employer = try Company.findOrCreate(\.name, "Acme", in: context)
}
for person in try await Person.where({ $0.age >= 18 }).sorted(by: \.name).fetch() {
  print(person.name, person.employer?.name ?? "–")
}
try Stack.cleanUp()

let edits = ManagedObjectContext(.main, parent: .default)
Person(context: edits).name = "jill"
try await edits.save(toPersistentStore: true)

let adults = Person.where { $0.age >= 18 && $0.employer.name == "Acme" }
let names = try await adults.sorted(by: \.name).limit(20).fetch().map(\.name)
let first = try Person.findFirst(\.name, "jack")
let same = try Person.findAll(matching: "name BEGINSWITH %@", "j", sortedBy: \.name)
let sum = try adults.sum(\.age, in: .default)
let counts = try Person.where(\.age >= 18).grouped(by: \.team).count(in: .default)
try Person.deleteAll(where: \.age > 99)
try await Person.where(\.age > 99).batchUpdate { $0.age.set($0.age + 1) }

let list = FetchedResultsController(Person.where(\.age >= 18).sorted(by: \.name), in: .default)
try await list.performFetch()

let url = URL(filePath: "people.json")
let report = try await Stack.default.importJSON(contentsOf: url, as: Company.self) { print($0) }
print(report, report.warnings)
