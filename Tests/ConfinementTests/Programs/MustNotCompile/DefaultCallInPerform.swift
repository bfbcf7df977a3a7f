// error: main actor-isolated
import Cauldron

private func program(_ context: ManagedObjectContext) async {
  await context.perform { _ in
    _ = Person.create()
  }
}
