import Cauldron

@MainActor
private func program(_ person: Person) async throws {
  let outcome: SaveOutcome = try await person.save(toPersistentStore: true)
  print(outcome, person.name)
  try await ManagedObjectContext.default.save(toPersistentStore: true)
  person.save(toPersistentStore: true) { didSave, _ in print(didSave) }
}

@MainActor
private func button(_ person: Person) {
  person.save(toPersistentStore: true) { didSave, _ in print(didSave) }
  Task { try await person.save(toPersistentStore: true) }
}
