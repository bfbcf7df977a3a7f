import Cauldron

/// A child of the main context in which one person is edited. Nothing of it is seen elsewhere before
/// it is saved, and letting go of it leaves nothing behind.
final class EditSession: Sendable {
  private let context: ManagedObjectContext
  private let id: ManagedObjectID

  init(_ id: ManagedObjectID) {
    self.id = id
    context = ManagedObjectContext.contextWithParent(.default)
    context.name = "Edit Session"
  }

  /// The person as the session has it.
  func fields() async throws -> PersonFields {
    let id = self.id
    return try await context.perform { local throws -> PersonFields in
      PersonFields(try person(id, in: local))
    }
  }

  /// Changes what is given.
  func change(_ change: PersonChange) async throws -> PersonFields {
    let id = self.id
    return try await context.perform { local throws -> PersonFields in
      let person = try person(id, in: local)
      change.apply(to: person)
      return PersonFields(person)
    }
  }

  /// Saves the edits to the store, through the main context.
  /// - Throws: What keeps them from being saved; then the session has them still.
  func save() async throws { try await context.save(toPersistentStore: true) }

  /// Deletes the person, and saves.
  func delete() async throws {
    let id = self.id
    try await context.perform { local throws -> Void in try person(id, in: local).delete() }
    try await save()
  }
}

private func person(_ id: ManagedObjectID, in context: LocalContext) throws -> Person {
  guard let person = try Person.find(id, in: context) else {
    throw Refusal("The person is gone.")
  }
  return person
}
