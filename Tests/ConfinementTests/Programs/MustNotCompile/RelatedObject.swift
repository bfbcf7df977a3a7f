// error: risks causing data races
import Cauldron

private func program(_ context: ManagedObjectContext, _ id: ManagedObjectID) async throws {
  try await context.perform { context in
    guard let company = try Person.find(id, in: context)?.employer else { return }
    Task.detached {
      print(company.name)
    }
  }
}
