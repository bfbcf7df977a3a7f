import Cauldron

private func program(_ context: ManagedObjectContext, _ stack: Stack) async throws {
  let outcome: SaveOutcome = try await context.save(toPersistentStore: true)
  print(outcome)
  try await context.save(toPersistentStore: true, mergePolicy: .overwrite)
  let handed: SaveOutcome = try await context.save()
  print(handed)
  async let other = context.save(toPersistentStore: true)
  try await stack.save { context in Person.create(in: context).name = "jill" }
  await context.perform { context in Person.create(in: context).name = "jack" }
  context.save(toPersistentStore: true) { didSave, _ in print(didSave) }
  print(try await other)
}
