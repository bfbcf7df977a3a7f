import Cauldron

private actor Archive {
  private let context = ManagedObjectContext.contextWithParent(.default)
  private var saves = 0

  func save() async throws {
    let outcome: SaveOutcome = try await context.save(toPersistentStore: true)
    print(outcome)
    saves += 1
    context.save(toPersistentStore: true) { didSave, _ in print(didSave) }
  }
}
