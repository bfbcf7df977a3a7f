// error: no 'async' operations occur within 'await' expression
import Cauldron

@MainActor
private func program(_ context: ManagedObjectContext) async {
  await context.save(toPersistentStore: true) { didSave, _ in print(didSave) }
}
