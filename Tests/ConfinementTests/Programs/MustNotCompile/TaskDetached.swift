// error: risks causing data races
import Cauldron

private func program(_ context: ManagedObjectContext) async {
  await context.perform { context in
    let person = Person.create(in: context)
    Task.detached {
      person.name = "jack"
    }
  }
}
