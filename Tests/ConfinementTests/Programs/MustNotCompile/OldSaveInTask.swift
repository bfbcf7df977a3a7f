// error: 'mr_saveToPersistentStoreAndWait' is unavailable from asynchronous contexts
import CauldronMagicalRecord

@available(*, deprecated)
private func save(_ context: ManagedObjectContext) async {
  context.mr_saveToPersistentStoreAndWait()
}
