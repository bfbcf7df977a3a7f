// error: 'async' call in a function that does not support concurrency
import Cauldron

private func program(_ context: ManagedObjectContext) throws {
  try context.save(toPersistentStore: true)
}
