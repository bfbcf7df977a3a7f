import Cauldron
import CauldronTesting
import Foundation
import Testing

@Entity final class Folder: ManagedObject {
  @Attribute(.unique, .length(1...)) var name: String
  @Attribute(derived: "notes.@count") var noteCount: Int
  @Relationship(deleteRule: .cascade) var notes: ToMany<Note>
}

@Entity(isBase: true) class _Note: ManagedObject {
  var createdAt: Date
  @Relationship(.required, inverse: \Folder.notes) var folder: Folder?
}

extension Folder {
  var summary: String { "\(name): \(noteCount) notes" }
}

@Entity final class Note: _Note {
  @Transient var isOpen: Bool = false

  override func awakeFromInsert() { createdAt = .now }
}

func setUp(storeURL: URL) throws {
  let modelURL = URL(filePath: "Notes.xcdatamodeld")
  let plan = try MigrationPlan(
    versionsOf: modelURL, discarding: ["Notes 2": ["Note.color: String"]])
  var configuration = StackConfiguration()
  configuration.migration = .plan(plan)
  try setupStack(storeURL: storeURL, configuration: configuration)
}

@Test func `the model is the one that was released`() throws {
  let model = try ManagedObjectModel(Folder.self, Note.self)
  #expect(model.matches(frozen: URL(filePath: "Models/Notes.xcdatamodeld")))
}
