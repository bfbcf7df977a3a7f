import Cauldron
import CauldronModel
import Foundation
import TestSupport

/// Whether something becomes true by itself within some seconds.
func comesTrueSoon(
  within seconds: Double = patience, _ isTrue: () throws -> Bool
) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < end {
    if try isTrue() { return true }
    usleep(2_000)
  }
  return try isTrue()
}

/// What a task returns or throws; nil, and the task is cancelled, where it does not end.
func answer<Value: Sendable>(
  _ body: @escaping @Sendable () async throws -> Value
) async -> Result<Value, any Error>? {
  let box = Locked<Result<Value, any Error>?>(nil)
  let task = Task {
    do {
      let value = try await body()
      box.withLock { $0 = .success(value) }
    } catch {
      box.withLock { $0 = .failure(error) }
    }
  }
  let end = ContinuousClock.now + .seconds(patience)
  while ContinuousClock.now < end, box.withLock({ $0 == nil }) {
    try? await Task.sleep(for: .milliseconds(5))
  }
  task.cancel()
  return box.withLock { $0 }
}

extension FetchedResultsController<Person> {
  /// The names of the people that the list shows.
  var names: [String] { snapshot.values(of: \.name) }
}
