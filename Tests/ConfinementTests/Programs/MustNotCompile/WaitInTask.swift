// error: unavailable from asynchronous contexts
import Cauldron

func program(_ context: ManagedObjectContext) async throws {
  try context.saveAndWait(toPersistentStore: true)
}
