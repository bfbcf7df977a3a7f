import Cauldron

private func program(_ context: ManagedObjectContext, _ stack: Stack) throws {
  context.save(toPersistentStore: true) { didSave, _ in print(didSave) }
  context.save(toPersistentStore: true, completion: nil)
  context.perform { context in Person.create(in: context).name = "jack" }
  try context.saveAndWait(toPersistentStore: true)
  try stack.saveAndWait { context in Person.create(in: context).name = "jill" }
}
