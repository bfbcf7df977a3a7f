// error: 'async' call in a function that does not support concurrency
import Cauldron

private func program(_ context: ManagedObjectContext) async throws {
  try await context.perform { local in
    try local.context.save(toPersistentStore: true)
  }
}
