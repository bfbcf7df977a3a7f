import Cauldron
import Synchronization

/// Two numbers that stay right.
final class LiveCounts: Sendable {
  struct Numbers: Codable, Sendable {
    var people = 0
    var favourites = 0
  }

  private let numbers = Mutex(Numbers())

  var current: Numbers { numbers.withLock { $0 } }

  /// Follows a context until the task is cancelled.
  func follow(_ context: ManagedObjectContext) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await self.follow(ObjectQuery().counts(in: context)) { $0.people = $1 } }
      group.addTask {
        try await self.follow(Person.where(\.isFavourite == true).counts(in: context)) {
          $0.favourites = $1
        }
      }
      try await group.waitForAll()
    }
  }

  private func follow(
    _ counts: FetchedResultsCounts<Person>, _ note: @Sendable (inout Numbers, Int) -> Void
  ) async throws {
    for try await count in counts {
      numbers.withLock { note(&$0, count) }
    }
  }
}
