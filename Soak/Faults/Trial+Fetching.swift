import Cauldron
import CauldronGraph
import CauldronModel
import Foundation

// Reads while something fails: each gives the right answer or throws.
extension Trial {
  /// - Parameter mustWork: Whether nothing fails any more.
  func fetchAll(_ rig: Rig, mustWork: Bool) throws {
    let truth = try FileContents(store).contents
    if readers.isEmpty {
      readers = (0..<2).map { _ in ManagedObjectContext(.private, coordinator: rig.coordinator) }
    }
    let context = readers[0]
    compare("the contents", in: context, truth, mustWork) { try Contents($0) }
    compare("the contents of main", in: rig.main, truth, mustWork) { try Contents($0) }
    let count = truth.batches.values.reduce(0, +)
    compare("the count", in: context, count, mustWork) { try Note.count(in: $0) }
    compare("some", in: context, truth.batches[2] ?? 0, mustWork) {
      try Note.findAll(where: \.batch == 2, in: $0).count
    }
    compare("the identifiers", in: context, count, mustWork) {
      try $0.fetchObjectIDs(FetchRequest<Note>()).count
    }
    compareFaults(readers[1], count, mustWork)
  }

  private func compareFaults(_ context: ManagedObjectContext, _ count: Int, _ mustWork: Bool) {
    let ids = (try? context.performAndWait { try $0.fetchObjectIDs(FetchRequest<Note>()) }) ?? []
    for id in ids.prefix(4) {
      compare("a fault", in: context, true, mustWork) { context in
        guard let note = context.object(with: id) as? Note else { return false }
        try note.load()
        guard let shelf = note.shelf else { return false }
        try shelf.load()
        return !note.text.isEmpty && shelf.number == Edit.shelf
      }
    }
    compare("a walk", in: context, count, mustWork) { context in
      guard let shelf = try Shelf.findFirst(in: context) else { return -1 }
      let notes = Array(shelf.notes)
      for note in notes { try note.load() }
      // A walk that fails has no way to throw; it shows nothing.
      return notes.isEmpty && !mustWork ? count : notes.count
    }
  }

  private func compare<Value: Equatable>(
    _ what: String, in context: ManagedObjectContext, _ expected: Value, _ mustWork: Bool,
    _ read: (LocalContext) throws -> Value
  ) {
    do {
      let found = try context.performAndWait { try read($0) }
      if found != expected { find(.falseAnswer, "reading \(what) gave \(found), not \(expected)") }
    } catch {
      if mustWork {
        find(.unusable, "reading \(what) afterwards threw \(error)")
      } else {
        check(error, "reading \(what)")
      }
    }
  }
}
