import Cauldron
import Foundation

@Entity final class Note: ManagedObject {
  var text: String
  var created: Date = .now
  var isDone: Bool = false
  @Relationship(inverse: \Folder.notes) var folder: Folder?
}

@Entity final class Folder: ManagedObject {
  @Attribute(.unique) var name: String
  @Relationship var notes: ToMany<Note>
}

try setupStack(storeNamed: "notes")

try await Stack.default.save { context in
  let folder = try Folder.findOrCreate(\.name, "home", in: context)
  let note = Note(context: context)
  note.text = "buy milk"
  note.folder = folder
}

let open = Note.where { $0.folder.name == "home" && !$0.isDone }
for note in try await open.sorted(by: \.created).fetch() {
  print(note.created, note.text)
}

let first = try Note.findFirst(sortedBy: \.created)?.objectID
try await Stack.default.save { context in
  if let first { try Note.find(first, in: context)?.isDone = true }
  try Note.deleteAll(where: \.text == "", in: context)
}
try Stack.cleanUp()
