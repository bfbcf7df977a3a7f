import Cauldron
import Foundation

/// Imports a day's readings in the background, a few at a time.
///
/// `@unchecked Sendable` because the outcome is written before the operation finishes, and read
/// after it.
final class ImportOperation: Operation, @unchecked Sendable {
  /// How the imported objects reach the main context.
  enum Way: String, CaseIterable {
    /// The import runs beside the main context, which merges each save.
    case notification = "by notification and merge"
    /// The import runs in a child of the main context, which gets each save.
    case child = "by parent and child"
  }

  private(set) var failure: (any Error)?
  private let context: ManagedObjectContext
  private let mainContext: ManagedObjectContext

  init(_ way: Way, into stack: Stack) {
    mainContext = stack.defaultContext
    switch way {
    case .notification:
      context = ManagedObjectContext(.private, coordinator: stack.coordinator, name: "Import")
    case .child: context = ManagedObjectContext(.private, parent: mainContext, name: "Import")
    }
    super.init()
  }

  override func main() {
    let main = mainContext
    let observation = context.observe { change in
      guard change.kind == .didSave else { return }
      // The context's own save and saves on another store are ignored by themselves.
      main.mergeChanges(fromContextDidSave: change)
    }
    defer { observation.cancel() }
    do {
      for hours in [0..<8, 8..<16, 16..<24] where !isCancelled { try importHours(hours) }
    } catch {
      failure = error
    }
  }

  private func importHours(_ hours: Range<Int>) throws {
    context.performAndWait { local in
      for hour in hours {
        let reading = Reading.create(in: local)
        reading.hour = hour
        reading.degrees = 15 + Double((hour * 7) % 24) / 4
      }
    }
    try context.saveAndWait(toPersistentStore: true)
  }
}
