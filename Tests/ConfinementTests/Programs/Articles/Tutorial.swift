import Cauldron
import Foundation

@Entity final class Note: ManagedObject {
  var text: String
  var created: Date = .now
  var isDone: Bool = false
  @Relationship(inverse: \Tag.notes) var tags: ToMany<Tag>
}

@Entity final class Tag: ManagedObject {
  @Attribute(.unique) var name: String
  @Relationship var notes: ToMany<Note>
}

/// The model of the last step.
enum Later {
  @Entity final class Note: ManagedObject {
    @Attribute(originalName: "text") var title: String
    var priority: Int16 = 0
    var created: Date = .now
    var isDone: Bool = false
    @Relationship(inverse: \Tag.notes) var tags: ToMany<Tag>
  }

  @Entity final class Tag: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var notes: ToMany<Note>
  }
}

func add(_ text: String) async throws {
  try await Stack.default.save(named: "add") { context in
    let note = Note(context: context)
    note.text = text
    for word in text.split(separator: " ") where word.hasPrefix("#") {
      note.tags.insert(try Tag.findOrCreate(\.name, String(word.dropFirst()), in: context))
    }
  }
}

func notes(about text: String) -> ObjectQuery<Note> {
  Note.where { !$0.isDone && $0.text.contains(text, .ignoringCaseAndDiacritics) }
}

@MainActor func list(_ text: String) async throws {
  for note in try await notes(about: text).sorted(by: \.created).fetch() {
    print("\(note.created.formatted(.iso8601))  \(note.text)")
  }
}

func finish(_ text: String) async throws -> Int {
  try await Stack.default.save(named: "done") { context in
    let found = try notes(about: text).fetch(in: context)
    for note in found { note.isDone = true }
    return found.count
  }
}

func sweep() async throws -> Int {
  try await Note.where { $0.isDone }.batchDelete().deleted
}

Stack.logLevel = .warn
try setupStack(storeNamed: "notes")
let text = CommandLine.arguments.dropFirst(2).joined(separator: " ")
switch CommandLine.arguments.dropFirst().first {
case "add": try await add(text)
case "done": print("\(try await finish(text)) done")
case "sweep": print("\(try await sweep()) deleted")
default: try await list(text)
}
try Stack.cleanUp()
