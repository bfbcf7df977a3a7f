public import CauldronGraph
import CauldronLedger
public import CauldronModel
import CauldronQuery

/// What is gathered from objects, such as groups with their numbers: now, and whenever it changes. States
/// that nobody has asked for meanwhile are passed over.
///
/// ```swift
/// for try await cities in Person.grouped(by: \.city).updates(in: context, { $0.count }) {
///   for (city, count) in cities { … }
/// }
/// ```
public struct FetchedValueUpdates<Line>: AsyncSequence, Sendable {
  let begin: @Sendable () async throws -> LiveValue<[[AttributeScalar]]>
  let line: @Sendable ([AttributeScalar]) throws -> Line

  /// Begins with the lines as they are then.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Goes through the states.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: FetchedValueUpdates
    private var value: LiveValue<[[AttributeScalar]]>?

    init(_ sequence: FetchedValueUpdates) { self.sequence = sequence }

    /// The next lines that differ from the last ones; nil where the task was cancelled.
    /// - Throws: `query.…`, `store.…`, `stack.closed`.
    public mutating func next() async throws -> [Line]? {
      if Task.isCancelled { return nil }
      let value =
        if let value { value } else { try await sequence.begin() }
      self.value = value
      return try await value.next()?.map(sequence.line)
    }
  }
}

extension ManagedObjectContext {
  /// The lines of a value request, as this context sees them: now, and whenever they change.
  /// - Complexity: The request's statement in the background after each change of the entities that
  ///   matter, for at most a fifth of the time.
  public func valueUpdates<Object: ManagedObject>(
    for request: ValueRequest<Object>
  ) -> FetchedValueUpdates<[AttributeScalar]> { valueUpdates(for: request) { $0 } }

  /// The same, with each line made into something else.
  package func valueUpdates<Object: ManagedObject, Line>(
    for request: ValueRequest<Object>,
    line: @escaping @Sendable ([AttributeScalar]) throws -> Line
  ) -> FetchedValueUpdates<Line> {
    let begin: @Sendable () async throws -> LiveValue<[[AttributeScalar]]> = {
      try await self.beginToFollow()
      let query = try self.core.requests.query(request)
      return LiveValue(
        query.reach, in: self, includesPendingChanges: request.objects.includesPendingChanges
      ) { snapshot, keys, builder in
        try snapshot.values(query.followed(keys), builder: &builder)
      }
    }
    return FetchedValueUpdates(begin: begin, line: line)
  }
}
