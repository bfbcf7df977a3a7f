// error: Sendable
import Cauldron

private func program(_ context: ManagedObjectContext) async {
  let person = await context.perform { context in
    Person.create(in: context)
  }
  print(person.name)
}
