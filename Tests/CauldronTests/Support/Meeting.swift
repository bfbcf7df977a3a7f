import Cauldron
import Testing

/// Two contexts that know nothing of each other's changes, and where these meet.
struct Meeting {
  /// Where the two meet.
  enum Level: CaseIterable, Sendable {
    /// In their parent, which nobody has saved.
    case parent
    /// In the root, to which each comes through a parent of its own.
    case root
    /// In the store, as contexts on the coordinator.
    case store
    /// In the store, into which one of them was saved through the chain before.
    case chain
  }

  let level: Level
  let first: ManagedObjectContext
  let second: ManagedObjectContext
  private let bench: Bench

  init(_ level: Level, _ bench: Bench) {
    (self.level, self.bench) = (level, bench)
    switch level {
    case .parent:
      let parent = bench.child("Parent")
      (first, second) = (bench.child("First", of: parent), bench.child("Second", of: parent))
    case .root:
      (first, second) = (
        bench.child("First", of: bench.child("Left")),
        bench.child("Second", of: bench.child("Right"))
      )
    case .store: (first, second) = (bench.committed(), bench.committed())
    case .chain: (first, second) = (bench.child("First"), bench.child("Second"))
    }
  }

  /// Hands a context's changes to where the two meet.
  func meet(_ context: ManagedObjectContext) throws {
    switch level {
    case .parent, .store: try context.save()
    case .root:
      try context.save()
      try #require(context.parent).performAndWait { try $0.context.save() }
    case .chain: try context.saveAndWait(toPersistentStore: true)
    }
  }

  /// Brings to the store what has met above it.
  func finish() throws {
    switch level {
    case .parent, .root:
      try #require(first.parent).saveAndWait(toPersistentStore: true)
      try bench.root.saveAndWait(toPersistentStore: true)
    case .store, .chain: break
    }
  }
}
