// error: expression is 'async' but is not marked with 'await'
import Cauldron

private func program(_ context: ManagedObjectContext) async throws {
  try context.save()
}
