// error: risks causing data races
import Cauldron

private func program(_ context: ManagedObjectContext) async throws {
  try await context.perform { context in
    for person in try Person.findAll(where: \.age >= 18, in: context) {
      Task { @MainActor in
        print(person.name)
      }
    }
  }
}
