// error: capture of 'person' with non-Sendable type 'Person' in a '@Sendable' closure
import Cauldron

private func program(_ context: ManagedObjectContext, _ person: Person) {
  context.perform { person.name = "jack" }
}
