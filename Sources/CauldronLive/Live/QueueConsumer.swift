import CauldronGraph
import CauldronList
import CauldronModel
import Dispatch

/// Shows a list where its context is: one delivery is under way at a time, and changes meanwhile
/// are gathered for the next one.
///
/// The context's objects catch up first, so that their values and their places belong together. A
/// thread or task that has claimed the context delivers at the end of its events.
///
/// `@unchecked Sendable` because everything that changes is behind a lock.
final class QueueConsumer: ListConsumer, @unchecked Sendable {
  /// Gets what was asked for, on the thread of the context's owner.
  typealias Handler = @Sendable (ListDelivery) -> Void

  private let list: LiveList
  private let handler: Handler
  private let failed: @Sendable (CauldronError) -> Void
  private let state = Locked(State())

  private struct State {
    var backlog = ListBacklog()
    var prepared: (work: ListBacklog.Work, delivery: ListDelivery)?
    var isUnderWay = false
    /// Whether the handler runs. Changes that it causes wait, since differences come one after the other. Until
    /// it ends, a reader of the list may see the state before.
    var isHanding = false
    /// The error to be told of at the end of an event.
    var failure: CauldronError?
    var hasEnded = false

    /// Takes what is handed over now for shown; it counts once the handler has returned.
    mutating func beginHanding(_ work: ListBacklog.Work) {
      backlog.show(work)
      isHanding = true
    }
  }

  init(
    _ list: LiveList, handler: @escaping Handler,
    failed: @escaping @Sendable (CauldronError) -> Void
  ) {
    self.list = list
    self.handler = handler
    self.failed = failed
  }

  deinit {
    var backlog = state.withLock { state -> ListBacklog? in
      defer {
        state.backlog = ListBacklog()
        state.prepared = nil
      }
      return state.backlog
    }
    LiveList.letGo(&backlog)
  }

  /// Nothing is told any more.
  func end() { state.withLock { $0.hasEnded = true } }

  func note(_ snapshot: RowSnapshot, touched: ListTouches, isReload: Bool, version: Int) {
    state.withLock {
      $0.backlog.note(snapshot, touched: touched, isReload: isReload, version: version)
    }
  }

  func fail(_ error: CauldronError) {
    guard list.isQueueRun else { return state.withLock { $0.failure = error } }
    list.context.runSoon { [weak self] in
      guard let self, !state.withLock({ $0.hasEnded }) else { return }
      failed(error)
    }
  }

  /// How much there was to show by now.
  var noted: Int { state.withLock { $0.backlog.notes } }

  /// Whether as much has been shown and handed over, or is not wanted any more.
  func hasShown(_ notes: Int) -> Bool {
    state.withLock { $0.hasEnded || !$0.isHanding && $0.backlog.shownNotes >= notes }
  }

  func prepare() {
    guard list.isQueueRun else { return }
    let work = state.withLock { state -> ListBacklog.Work? in
      guard !state.isUnderWay, !state.hasEnded, let work = state.backlog.work else { return nil }
      state.isUnderWay = true
      return work
    }
    guard let work else { return }
    let delivery = ListDelivery(work, list.coordinator)
    let isWanted = state.withLock { state in
      // Something was shown on the owner's thread meanwhile.
      guard state.backlog.shownCount == work.shownCount else {
        state.isUnderWay = false
        return false
      }
      if delivery.isEmpty {
        state.backlog.show(work)
        state.isUnderWay = false
      } else {
        state.prepared = (work, delivery)
      }
      return !delivery.isEmpty
    }
    guard isWanted else { return again() }
    list.context.runSoon { [self] in deliver() }
  }

  private func again() {
    if !state.withLock({ $0.backlog.isEmpty }) { list.queue.async { self.prepare() } }
  }

  /// Runs on the thread of the context's owner.
  private func deliver() {
    var delivery = state.withLock { state -> ListDelivery? in
      state.isUnderWay = false
      guard let (work, delivery) = state.prepared, !state.hasEnded, !state.isHanding else {
        return nil
      }
      state.prepared = nil
      state.beginHanding(work)
      return delivery
    }
    hand(&delivery)
    again()
  }

  func deliverHere() {
    let (work, failure) = state.withLock { state -> (ListBacklog.Work?, CauldronError?) in
      guard !state.hasEnded, !state.isHanding else { return (nil, nil) }
      defer { state.failure = nil }
      let work = state.backlog.work
      // Much is prepared elsewhere, and told in an event that follows.
      let isLate = list.isQueueRun && (work?.isLarge ?? false)
      return (isLate ? nil : work, state.failure)
    }
    if let failure { failed(failure) }
    guard let work else { return }
    var delivery: ListDelivery? = ListDelivery(work, list.coordinator)
    let isFirst = state.withLock { state in
      guard state.backlog.shownCount == work.shownCount, !state.hasEnded, !state.isHanding else {
        return false
      }
      // What was prepared leads from a state that is shown no more.
      state.prepared = nil
      if delivery?.isEmpty == true { state.backlog.show(work) } else { state.beginHanding(work) }
      return true
    }
    guard isFirst, delivery?.isEmpty == false else { return }
    hand(&delivery)
    again()
  }

  private func hand(_ delivery: inout ListDelivery?) {
    guard delivery != nil else { return }
    if let delivery { handler(delivery) }
    state.withLock { $0.isHanding = false }
    // Freeing many rows is nobody's business here.
    if delivery?.old?.count ?? 0 > 1_000 { LiveList.letGo(&delivery) }
  }
}
