// Compiled with `-default-isolation MainActor`.
import Cauldron
import Foundation

@Entity final class Note: ManagedObject {
  var text: String
  var place: Place?

  convenience init(text: String, context: ManagedObjectContext) {
    self.init(context: context)
    self.text = text
  }

  convenience init() { self.init(text: "empty", context: .default) }

  override func willSave() {
    if text.isEmpty { text = placeholder() }
  }
}

nonisolated struct Place: Codable { var name = "" }

nonisolated private func placeholder() -> String { "nothing" }

nonisolated extension Note {
  func shorten() { text = String(text.prefix(20)) }
  var isShort: Bool { text.count <= 20 }
}

extension Note {
  var title: String { isShort ? text : "…" }
}

private func write(in context: ManagedObjectContext) async throws {
  await context.perform { Note(context: context).shorten() }
  await context.perform { local in Note(context: local).shorten() }
  let texts = await context.perform { Note(text: "x", context: context).isShort }
  try await Stack.default.save { local in
    let note = try Note.findFirst(\.text, "x", in: local)
    note?.shorten()
    note?.place = Place(name: "here")
  }
  print(texts, Note().title)
}

private func fill(_ context: ManagedObjectContext) throws {
  context.perform { Note(context: context).shorten() }
  context.perform { local in Note(context: local).shorten() }
  try context.performAndWait { try context.save() }
}

final class List {
  private var notes: [Note] = []
  private lazy var shown = FetchedResultsController(Note.where(\.text != ""), in: .default)

  func load() throws {
    notes = try Note.findAll(where: \.text != "", sortedBy: \.text)
    print(notes.map(\.title), shown.fetchedObjects?.count ?? 0)
  }

  func observe() async throws {
    for try await list in Note.where(\.text != "").updates() { print(list.snapshot.count) }
  }
}
