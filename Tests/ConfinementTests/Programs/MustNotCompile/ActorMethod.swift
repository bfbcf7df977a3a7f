// error: risks causing data races
import Cauldron

private actor Register {
  private var names: [String] = []

  func add(_ person: Person) { names.append(person.name) }
}

private func program(_ context: ManagedObjectContext, _ register: Register) async {
  await context.perform { context in
    let person = Person.create(in: context)
    Task {
      await register.add(person)
    }
  }
}
