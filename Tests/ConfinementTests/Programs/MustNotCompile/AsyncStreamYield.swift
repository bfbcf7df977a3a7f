// error: risks causing data races
import Cauldron

private func program(
  _ context: ManagedObjectContext, _ people: AsyncStream<Person>.Continuation
) async throws {
  try await context.perform { context in
    if let person = try Person.findFirst(in: context) {
      people.yield(person)
    }
  }
}
