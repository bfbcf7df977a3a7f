public import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronQuery

/// How many objects a request selects, in its window: now, and whenever that changes. Numbers that nobody
/// has asked for meanwhile are passed over.
public struct FetchedResultsCounts<Object: ManagedObject>: AsyncSequence, Sendable {
  let context: ManagedObjectContext
  let request: FetchRequest<Object>

  /// Begins with the number as it is then.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Goes through the numbers.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: FetchedResultsCounts
    private var value: LiveValue<Int>?

    init(_ sequence: FetchedResultsCounts) { self.sequence = sequence }

    /// The next number that differs from the last one; nil where the task was cancelled.
    /// - Throws: `query.…`, `store.…`, `stack.closed`.
    public mutating func next() async throws -> Int? {
      if Task.isCancelled { return nil }
      let value = try await begun()
      self.value = value
      return try await value.next()
    }

    private func begun() async throws -> LiveValue<Int> {
      if let value { return value }
      try await sequence.context.beginToFollow()
      let core = sequence.context.core
      let request = sequence.request
      let query = try core.requests.query(
        named: request.entityName, of: Object.self, for: request.description)
      return LiveValue(
        QueryReach(query), in: sequence.context,
        includesPendingChanges: request.includesPendingChanges
      ) { snapshot, keys, builder in
        try snapshot.count(query.followed(keys), builder: &builder)
      }
    }
  }
}

extension ManagedObjectContext {
  /// How many objects a request selects, as this context sees them: now, and whenever it changes.
  /// - Complexity: A count in the background after each change of the entities that matter, for at most a
  ///   fifth of the time. No rows are kept.
  public func counts<Object: ManagedObject>(
    for request: FetchRequest<Object>
  ) -> FetchedResultsCounts<Object> {
    FetchedResultsCounts(context: self, request: request)
  }
}
