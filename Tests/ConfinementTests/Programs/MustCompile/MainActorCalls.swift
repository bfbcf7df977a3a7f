import Cauldron

@MainActor
private func program() async throws {
  let company = Company.create()
  let person = Person.create()
  person.employer = company
  let count = try Person.count(where: \.age >= 18)
  let first = try Person.findFirst(sortedBy: \.name)
  print(count, first?.name ?? "", company.employees.count)
  let id = person.objectID
  try await Stack.default.save { context in
    try Person.find(id, in: context)?.age += 1
  }
}
