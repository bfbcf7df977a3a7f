import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronQuery
import Dispatch
import Foundation

/// A value that is gathered from a query's rows in a context, such as their number, and gathered
/// anew when it is asked for after a change that can matter.
///
/// It keeps no rows. With the first change that matters it stops reading the journal until it has been
/// asked for, so that an idle one holds nothing up.
final class LiveValue<Value: Equatable & Sendable>: LiveResult {
  /// Gathers the value from what the context sees, of objects with the keys that they have then.
  typealias Gathering =
    @Sendable (Snapshot, ProvisionalKeys, inout RowBuilder) throws -> Value

  /// Kept, so that there is something to be right about.
  private let context: ManagedObjectContext
  let coordinator: PersistentStoreCoordinator
  let node: LedgerNode
  let queue = DispatchQueue(label: "cauldron.value", qos: .userInitiated)
  private let watch: LiveWatch
  let includesPendingChanges: Bool
  let gathering: Gathering
  let state = Locked(State())

  struct State: Sendable {
    /// The number as a reader of the journal; nil while it is not read.
    var reader: Int?
    var isBehind = true
    /// Whether what is being gathered may show more than the place in the journal says.
    var isGathering = false
    var hasEnded = false
    var isCancelled = false
    var waiter: CheckedContinuation<Void, Never>?
    /// The earliest moment for the next time.
    var nextTime = DispatchTime.now()
    var shown: Value?

    /// Whether somebody who waits has to look.
    var hasNews: Bool { isBehind || hasEnded || isCancelled }

    /// The value is being gathered, by a reader that was made for it.
    mutating func begin(_ reader: Int) {
      self.reader = reader
      isBehind = false
      isGathering = true
    }
  }

  /// - Parameter reach: What can change the value.
  init(
    _ reach: QueryReach, in context: ManagedObjectContext, includesPendingChanges: Bool,
    gathering: @escaping Gathering
  ) {
    self.context = context
    self.gathering = gathering
    coordinator = context.core.coordinator
    node = context.core.node
    watch = LiveWatch(reach)
    self.includesPendingChanges = includesPendingChanges
    LiveLists.add(self, on: coordinator)
    coordinator.watchOthers()
  }

  deinit {
    leaveJournal()
    if !state.withLock({ $0.hasEnded }) { coordinator.stopWatchingOthers() }
  }

  var ledger: ChangeLedger { coordinator.ledger }

  var reading: (reader: Int, watch: LiveWatch?)? {
    state.withLock { $0.reader }.map { ($0, watch) }
  }

  var isBehind: Bool {
    let (reader, isGathering) = state.withLock { ($0.reader, $0.isGathering) }
    guard let reader else { return false }
    return ledger.withLock {
      let end = ledger.journal.end
      guard let entries = ledger.journal.entries(reader, upTo: end) else { return true }
      let path = includesPendingChanges ? node.uncheckedPath : LivePath()
      if !LiveNews(entries, watch, node, path, isAhead: isGathering).isEmpty { return true }
      ledger.journal.advance(reader, to: end)
      return false
    }
  }

  func stepSoon() {
    leaveJournal()
    wake { $0.isBehind = true }
  }

  var isUntold: Bool { false }

  func stepHere() {}

  func end() {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    guard isFirst else { return }
    leaveJournal()
    coordinator.stopWatchingOthers()
    wake { _ in }
  }

  private func leaveJournal() {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      return state.reader
    }
    guard let reader else { return }
    ledger.withLock { ledger.journal.removeReader(reader) }
  }

  func enterJournal() -> Int {
    leaveJournal()
    let reader = ledger.withLock { ledger.journal.addReader() }
    state.withLock { $0.begin(reader) }
    return reader
  }

  /// What was gathered shows what the journal tells up to a position.
  func hasGathered(_ reader: Int, upTo end: UInt64) {
    ledger.withLock { ledger.journal.advance(reader, to: end) }
    state.withLock { $0.isGathering = false }
  }
}

extension LiveValue {
  /// The next value that differs from the last one; nil where the task was cancelled.
  /// - Throws: What keeps it from being gathered.
  func next() async throws -> Value? {
    while true {
      await news()
      let (isCancelled, hasEnded) = state.withLock { ($0.isCancelled, $0.hasEnded) }
      if isCancelled || Task.isCancelled { return nil }
      if hasEnded { throw CauldronError.closed() }
      // Where others write all the time, four fifths of it are left to them.
      let now = DispatchTime.now().uptimeNanoseconds
      let pause = state.withLock { $0.nextTime.uptimeNanoseconds }
      if pause > now, (try? await Task.sleep(nanoseconds: pause - now)) == nil { return nil }
      let value = try await gathered()
      // Compared and let go outside the lock, which the ledger's lock is held beside.
      let last = state.withLock { state in
        defer { state.shown = value }
        return state.shown
      }
      if last != value { return value }
    }
  }

  func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      change(&state)
      guard state.hasNews else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
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

  /// Gathers on the value's own queue, and notes how long others are to be left alone after it.
  private func gathered() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        let began = DispatchTime.now().uptimeNanoseconds
        let result = Result { try gatheredNow() }
        let now = DispatchTime.now().uptimeNanoseconds
        state.withLock { $0.nextTime = DispatchTime(uptimeNanoseconds: now + 4 * (now - began)) }
        continuation.resume(with: result)
      }
    }
  }

  private func gatheredNow() throws -> Value {
    let reader = enterJournal()
    do {
      while true {
        if coordinator.isClosed { throw CauldronError.closed() }
        let exchanged = ledger.provisional.exchangeCount
        let (value, end) = try coordinator.read(for: node) { snapshot in
          var builder = RowBuilder()
          let seen = includesPendingChanges ? snapshot : snapshot.withoutLayers
          return (
            try gathering(seen, ledger.provisional, &builder), snapshot.chain.instant.journalEnd
          )
        }.0
        // Keys of the query's own objects may have changed meanwhile.
        guard exchanged == ledger.provisional.exchangeCount else { continue }
        hasGathered(reader, upTo: end)
        return value
      }
    } catch {
      stepSoon()
      throw CauldronError.wrap(error)
    }
  }
}
