// error: passing closure as a 'sending' parameter risks causing data races
import Cauldron

private func program(_ context: ManagedObjectContext) async {
  await context.perform { context in
    let person = Person(context: context)
    Task.detached { person.name = "jack" }
  }
}
