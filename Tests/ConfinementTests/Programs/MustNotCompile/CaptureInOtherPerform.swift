// error: non-Sendable
import Cauldron

private func program(_ context: ManagedObjectContext, _ other: ManagedObjectContext) async {
  await context.perform { context in
    let person = Person.create(in: context)
    other.perform { _ in
      person.name = "jack"
    }
  }
}
