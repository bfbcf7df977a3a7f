import Cauldron
import Foundation

/// A notebook whose model is edited with Xcode.
@main
struct Notebook {
  static func main() async throws {
    let store = FileManager.default.temporaryDirectory
      .appending(path: "notebook-\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: store) }
    try setupStack(storeURL: store)
    try await Stack.default.save { context in
      let folder = Folder.create(in: context)
      folder.name = "Kitchen"
      for (title, text) in [("Tea", "two spoons of leaves"), ("Bread", "flour water salt time")] {
        let note = Note.create(in: context)
        note.title = title
        note.text = text
        note.keywords = [title.lowercased(), "food"]
        note.folder = folder
      }
    }
    try await Stack.default.read { context in
      for folder in try Folder.findAll(in: context) {
        print(folder.summary)
        for note in folder.notes.sorted(by: { $0.title < $1.title }) {
          let keywords = (note.keywords ?? []).joined(separator: ", ")
          print("- \(note.title), \(note.wordCount) words (\(keywords))")
        }
      }
    }
    try Stack.cleanUp()
  }
}
