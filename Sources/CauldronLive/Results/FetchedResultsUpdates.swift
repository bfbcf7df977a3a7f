public import CauldronGraph
import CauldronLedger
import CauldronModel

/// A list as it is at one moment, and what has changed since the moment that was seen last.
public struct FetchedResultsUpdate<Object: ManagedObject>: Sendable {
  /// The list.
  public let snapshot: FetchedResultsSnapshot<Object>
  /// What has changed; a reload at first.
  public let difference: FetchedResultsDifference
}

/// The states of a list, one after the other, each when it is asked for: states that came and went
/// meanwhile are passed over, so a slow reader delays no one.
///
/// ```swift
/// for try await update in context.updates(for: request) {
///   draw(update.snapshot, update.difference)
/// }
/// ```
/// The first one comes at once, when the result has been fetched. It ends when its task is cancelled.
public struct FetchedResultsUpdates<Object: ManagedObject>: AsyncSequence, Sendable {
  let context: ManagedObjectContext
  let request: FetchRequest<Object>
  let section: SectionKey<Object>?

  /// Begins with the list as it is then.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Goes through the states.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: FetchedResultsUpdates
    private var feed: (list: LiveList, consumer: PullConsumer)?

    init(_ sequence: FetchedResultsUpdates) { self.sequence = sequence }

    /// The next state that differs from the last one; nil where the task was cancelled.
    /// - Throws: `query.…`, `store.…`, `stack.closed`.
    public mutating func next() async throws -> FetchedResultsUpdate<Object>? {
      if Task.isCancelled { return nil }
      let feed = try await begun()
      self.feed = feed
      let delivery: ListDelivery?
      do {
        delivery = try await feed.consumer.next()
      } catch {
        // Whoever asks again begins anew.
        self.feed = nil
        throw error
      }
      guard let delivery else { return nil }
      return FetchedResultsUpdate(
        snapshot: FetchedResultsSnapshot(
          delivery.new, feed.list.coordinator, sequence.section?.section),
        difference: delivery.difference)
    }

    private func begun() async throws -> (list: LiveList, consumer: PullConsumer) {
      if let feed { return feed }
      let context = sequence.context
      try await context.beginToFollow()
      let plan = try context.core.requests.livePlan(
        for: sequence.request, section: sequence.section?.section)
      let list = LiveList(plan, in: context)
      let consumer = PullConsumer(list)
      list.stepSoon()
      return (list, consumer)
    }
  }
}

extension ManagedObjectContext {
  /// The states of the list of a request's objects, as this context sees them.
  /// - Parameter sectionBy: What divides the list; nothing by default.
  public func updates<Object: ManagedObject>(
    for request: FetchRequest<Object>, sectionBy section: SectionKey<Object>? = nil
  ) -> FetchedResultsUpdates<Object> {
    FetchedResultsUpdates(context: self, request: request, section: section)
  }
}

extension ManagedObjectContext {
  /// Called before something of the context is followed: what was changed before is to be in it.
  /// - Throws: `stack.closed`.
  func beginToFollow() async throws {
    if core.coordinator.isClosed { throw CauldronError.closed() }
    try core.publisher.refuseFollowingConfined()
    core.ownership.endClaim(.queue)
    await processSoon()
  }
}
