public import CauldronGraph
import CauldronLedger
import CauldronList
public import CauldronModel
import CauldronQuery

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

/// Shows a list to who asks for the next state, in whatever task: states that nobody asks for are passed
/// over.
///
/// `@unchecked Sendable` because everything that changes is behind a lock.
final class PullConsumer: ListConsumer, @unchecked Sendable {
  private let list: LiveList
  private let state = Locked(State())

  private struct State {
    var backlog = ListBacklog()
    var waiter: CheckedContinuation<Void, Never>?
    var failure: CauldronError?
    var isCancelled = false

    /// Whether somebody who waits has to look.
    var hasNews: Bool { isCancelled || failure != nil || !backlog.isEmpty }

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      guard hasNews else { return nil }
      defer { waiter = nil }
      return waiter
    }
  }

  init(_ list: LiveList) {
    self.list = list
    list.add(self)
    // It may have ended before anybody could be told.
    if list.hasEnded { fail(.closed()) }
  }

  func note(_ snapshot: RowSnapshot, touched: ListTouches, isReload: Bool, version: Int) {
    state.withLock {
      $0.backlog.note(snapshot, touched: touched, isReload: isReload, version: version)
    }
  }

  func fail(_ error: CauldronError) {
    wake { $0.failure = error }
  }

  func prepare() { wake { _ in } }

  func deliverHere() { wake { _ in } }

  private func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      return state.takeWaiter()
    }
    waiter?.resume()
  }

  /// The next state that differs from the last one; nil where the task was cancelled.
  /// - Throws: What has kept the list from being right.
  func next() async throws -> ListDelivery? {
    while true {
      await news()
      let (work, failure, isCancelled) = state.withLock { state in
        defer { state.failure = nil }
        return (state.backlog.work, state.failure, state.isCancelled)
      }
      if isCancelled || Task.isCancelled { return nil }
      if let failure { throw failure }
      guard let work else { continue }
      let delivery = ListDelivery(work, list.coordinator)
      state.withLock { $0.backlog.show(work) }
      if !delivery.isEmpty { return delivery }
    }
  }

  /// Waits until there is something to look at.
  private func news() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNow = state.withLock { state in
          if state.hasNews { return true }
          state.waiter = continuation
          return false
        }
        if isNow { continuation.resume() }
      }
    } onCancel: {
      wake { $0.isCancelled = true }
    }
  }
}
