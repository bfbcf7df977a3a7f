import Cauldron
import Dispatch
import Foundation
import Synchronization

/// The question of those who compared stacks: may a list in the main context be fetched in the
/// background, and have what is inserted all the same?
extension Bench {
  /// A list of all rows in the main context; nothing is fetched yet.
  func list() -> FetchedResultsController<Row> {
    FetchedResultsController(ObjectQuery<Row>().sorted(by: \.title), in: stack.defaultContext)
  }

  /// How many rows are stored.
  func count() throws -> Int {
    try stack.rootSavingContext.performAndWait { try Row.count(in: $0) }
  }

  /// Fetches a list in the background, inserts rows meanwhile, and returns when all are shown.
  /// - Parameter count: How many rows these are then.
  func fetch(
    _ list: FetchedResultsController<Row>, inserting news: Int, until count: Int
  ) throws {
    let failure = Mutex<(any Error)?>(nil)
    let fetch = DispatchGroup()
    fetch.enter()
    Task { @MainActor in
      do { try await list.performFetch() } catch { failure.withLock { $0 = error } }
      fetch.leave()
    }
    try insert(news)
    fetch.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
    try wait(for: list, until: count)
  }

  /// Inserts rows under a list, and returns when it shows them.
  func insert(
    _ news: Int, under list: FetchedResultsController<Row>, until count: Int
  ) throws {
    try insert(news)
    try wait(for: list, until: count)
  }

  /// Compares a list with what a fetch returns.
  func check(_ list: FetchedResultsController<Row>) throws {
    let request = list.fetchRequest
    let (shown, context) = (list.snapshot.objectIDs, stack.defaultContext)
    let found = try context.performAndWait { try $0.context.fetchObjectIDs(request) }
    guard shown == found else { throw WrongList(shown: shown.count, fetched: found.count) }
  }

  /// Looks five thousand times a second, beside the main queue.
  private func wait(for list: FetchedResultsController<Row>, until count: Int) throws {
    let start = Clock.now
    while list.snapshot.count != count, Clock.milliseconds(since: start) < 60_000 { usleep(200) }
    guard list.snapshot.count == count else {
      throw WrongCount(found: list.snapshot.count, expected: count)
    }
  }
}

private struct WrongList: Error {
  let shown: Int
  let fetched: Int
}
