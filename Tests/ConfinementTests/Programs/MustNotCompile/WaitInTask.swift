// error: unavailable from asynchronous contexts
import Cauldron

private func program(_ context: ManagedObjectContext) async throws {
  try context.saveAndWait(toPersistentStore: true)
}
