public import CauldronGraph
import CauldronLedger
import CauldronList
package import CauldronModel
import CauldronQuery
import Dispatch

extension FetchedResultsController {
  /// Fetches in the background, and keeps the list right from then on. What is inserted meanwhile is in
  /// it; where the request is set meanwhile, the newest one's result is shown.
  ///
  /// The delegate is not called for the first result of a list. Where a later fetch finds what differs from
  /// what is shown, as with another query, it is called before this returns.
  /// - Throws: `query.…`, `store.…`, `stack.closed`.
  /// - Complexity: As a fetch, on another thread; on the context's queue O(1).
  public nonisolated(nonsending) func performFetch() async throws {
    try await settle { feed in self.show(try self.plan(), feed: feed) }
  }

  /// Fetches on the calling thread, which is that of the context's queue.
  /// - Throws: As ``performFetch()``.
  @available(*, noasync, message: "use 'try await performFetch()' instead")
  public func performFetchAndWait() throws {
    managedObjectContext.core.ancestors.publish()
    managedObjectContext.processPendingChanges()
    let feed = try feed()
    show(try plan(), feed: feed)
    feed.list.step()
    if let failure = feed.list.failure { throw failure }
    // What has come since is in the list, and the objects show it first.
    managedObjectContext.core.catchUp.run()
    feed.consumer.deliverHere()
  }

  /// Has the list show another result, and returns when it does, or when a later one is shown.
  /// - Throws: As ``performFetch()``; then the list stays as it was.
  public nonisolated(nonsending) func setRequest(_ request: FetchRequest<Object>) async throws {
    state.withLock { $0.request = request }
    try await settle { feed in self.show(try self.plan(), feed: feed) }
  }

  /// Returns when the list shows all that was changed before; own changes have to be processed for that.
  /// - Throws: What keeps the list from being right.
  public nonisolated(nonsending) func settled() async throws {
    try await settle { _ in }
    if let error = state.withLock({ $0.requestError }) { throw error }
  }

  private nonisolated(nonsending) func settle(_ body: (Feed) throws -> Void) async throws {
    try managedObjectContext.core.publisher.refuseFollowingConfined()
    managedObjectContext.core.ancestors.publish()
    managedObjectContext.core.ownership.endClaim(.queue)
    await managedObjectContext.processSoon()
    let feed = try feed()
    try body(feed)
    try await feed.list.stepped()
    // What comes later is not waited for, or whoever writes all the time would hold this up.
    let noted = feed.consumer.noted
    while !feed.consumer.hasShown(noted) { await feed.list.delivered(feed.consumer) }
  }

  /// - Throws: What is wrong with the request, which ``error`` tells from then on.
  func plan() throws -> LivePlan {
    let (request, section) = state.withLock { ($0.request, $0.section) }
    do {
      let plan = try managedObjectContext.core.requests.livePlan(
        for: request, section: section?.section)
      state.withLock { $0.requestError = nil }
      return plan
    } catch {
      let error = CauldronError.wrap(error)
      state.withLock { $0.requestError = error }
      throw error
    }
  }

  /// Has the list show something else, and notes by which number that will come.
  private func show(_ plan: LivePlan, feed: Feed) {
    let version = feed.list.setPlan(plan)
    state.withLock { $0.plans[version] = plan }
  }

  /// The list behind it, made when it is needed first.
  func feed() throws -> Feed {
    if let feed = state.withLock({ $0.feed }) { return feed }
    if managedObjectContext.core.coordinator.isClosed { throw CauldronError.closed() }
    let plan = try plan()
    let list = LiveList(plan, in: managedObjectContext)
    let consumer = QueueConsumer(list) { [weak self] delivery in
      self?.take(delivery)
    } failed: { [weak self] error in
      self?.fail(error)
    }
    list.add(consumer)
    let feed = Feed(list: list, consumer: consumer)
    state.withLock { state in
      state.feed = feed
      state.plans = [0: plan]
    }
    return feed
  }

  /// Has the list show what a request selects.
  func ask(_ request: FetchRequest<Object>) {
    let feed = state.withLock { state in
      state.request = request
      return state.feed
    }
    guard let feed else { return }
    do {
      show(try plan(), feed: feed)
      feed.list.stepSoon()
    } catch {
      // What was set before, and is not shown yet, is not shown any more.
      if let shown = state.withLock({ $0.shownPlan }) {
        show(shown, feed: feed)
        feed.list.stepSoon()
      }
      feed.consumer.fail(CauldronError.wrap(error))
    }
  }
}

extension LiveList {
  /// Returns when the list has stepped.
  /// - Throws: What keeps it from being right.
  func stepped() async throws {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        step(isAwaited: true)
        continuation.resume()
      }
    }
    if let failure { throw failure }
  }

  /// Returns when what was prepared for a consumer has been delivered.
  func delivered(_ consumer: QueueConsumer) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        consumer.prepare()
        context.runSoon { continuation.resume() }
      }
    }
  }
}

extension ManagedObjectContext {
  /// Has the context process what was changed, on its queue.
  func processSoon() async {
    // Not by the thread alone: it may have left the context's queue without an end of the event.
    if core.ownership.isCallers {
      return core.publisher.processPending()
    }
    await withCheckedContinuation { continuation in
      runSoon { continuation.resume() }
    }
  }
}

extension FetchedResultsController {
  /// Waits until the list shows all that was changed before; for tests, on a thread that has no context.
  /// - Throws: What keeps the list from being right.
  @available(*, noasync)
  package func settleAndWait() throws {
    let context = managedObjectContext
    context.performAndWait { $0.processPendingChanges() }
    guard let feed = state.withLock({ $0.feed }) else { return }
    feed.list.queue.sync { feed.list.step(isAwaited: true) }
    context.performAndWait { _ in }
    let noted = feed.consumer.noted
    while !feed.consumer.hasShown(noted) {
      feed.list.queue.sync { feed.consumer.prepare() }
      context.performAndWait { _ in }
    }
    if let failure = feed.list.failure { throw failure }
  }
}

extension FetchedResultsController {
  /// What a fetch of the list's query returns now; for tests, on the context's queue.
  package func fetchedIDs() throws -> [ManagedObjectID] {
    let plan = try plan()
    var query = plan.query
    query.limit = plan.window.limit
    query.offset = plan.window.offset
    let core = managedObjectContext.core
    core.publisher.publishForQuery()
    return try core.fetcher.ids(query, includesPendingChanges: plan.includesPendingChanges)
  }
}
