import CauldronModel
import CauldronStore

/// Changes from elsewhere that a context's objects have not seen. Any thread may add some at any
/// time, under the inbox's own lock; nothing else is asked while it is held.
///
/// What a save moves is added with the ledger's lock held, in the moment in which it moves. So whatever
/// a list or a fetch sees of it, the inbox has, and the next event of the context shows it.
final class Inbox: Sendable {
  fileprivate struct State {
    /// Change sets that arrived or left, in order.
    var arrivals: [Arrival] = []
    /// How many of them are kept.
    var limit = Inbox.limit
    /// What arrived before, where it was too much to be kept.
    var behind = ArrivedKeys()
    /// Whether the context has ended and will not look any more.
    var isClosed = false

    /// How many rows the arrivals have that did not come back. It is kept with each arrival,
    /// because of those that come back any number may wait.
    var rows = 0
    /// Whether a child's save has brought something back that the context may have deleted.
    var hasRestored = false
  }

  /// How many arrivals are kept as they are, where none of them came back.
  static let limit = 256
  /// How many of their rows are, be they of fewer arrivals: some tens of megabytes.
  static let rowLimit = 1 << 18

  private let state = Locked(State())
  /// Whether a child's save has brought something back, for a look without the lock.
  private let restored = SharedWord()
  private let rowLimit: Int

  init(rowLimit: Int = Inbox.rowLimit) { self.rowLimit = rowLimit }

  /// Remembers an arrival, unless the context has ended. A context whose queue stands still does not
  /// gather change sets for ever: of too many only the keys are kept.
  func append(_ arrival: Arrival) {
    let isRestored =
      arrival.reason == .child && arrival.changes.entities.contains(where: \.hasRestored)
    state.withLock { state in
      guard !state.isClosed else { return }
      if state.arrivals.count >= state.limit || state.rows >= rowLimit { state.collapse() }
      state.arrivals.append(arrival)
      if isRestored { (state.hasRestored, _) = (true, restored.store(1)) }
      if !arrival.isReturned { state.rows += arrival.changes.count }
    }
  }

  /// Remembers what a batch has changed, unless the context has ended.
  func append(_ batch: BatchKeys) {
    state.withLock { state in
      if !state.isClosed { state.behind.add(batch) }
    }
  }

  /// Remembers that anything may have changed, unless the context has ended.
  func appendEverything() {
    state.withLock { state in
      if !state.isClosed { state.behind.lookAtEverything() }
    }
  }

  /// Empties it; the caller shows the objects all that was in it.
  func take() -> (arrivals: [Arrival], behind: ArrivedKeys) {
    state.withLock { state in
      defer {
        state.arrivals = []
        state.rows = 0
        state.behind = ArrivedKeys()
      }
      return (state.arrivals, state.behind)
    }
  }

  /// Whether a child's save has brought something back since this was asked last.
  func takeRestored() -> Bool {
    guard holdsRestored else { return false }
    return state.withLock { state in
      defer { (state.hasRestored, _) = (false, restored.store(0)) }
      return state.hasRestored
    }
  }

  /// Whether a child's save has brought something back that the context may have deleted.
  @inline(__always)
  var holdsRestored: Bool { restored.value != 0 }

  /// How many rows it keeps of what did not come back.
  var rowCount: Int { state.withLock { $0.rows } }

  /// Whether the objects have met everything.
  var isEmpty: Bool { state.withLock { $0.arrivals.isEmpty && $0.behind.isEmpty } }

  /// Whether changes of the context's own came back.
  var holdsReturned: Bool { state.withLock { $0.arrivals.contains(where: \.isReturned) } }

  /// What came back is discarded with all else, and is not to be marked as unsaved.
  func forgetReturns() { state.withLock { $0.arrivals.removeAll(where: \.isReturned) } }

  /// Forgets everything and takes nothing more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.arrivals = []
      state.rows = 0
      state.behind = ArrivedKeys()
    }
  }
}

extension Inbox.State {
  /// Keeps what came back, which has to be marked as unsaved, and only the keys of all else.
  fileprivate mutating func collapse() {
    for arrival in arrivals where !arrival.isReturned { behind.add(arrival.changes) }
    arrivals = arrivals.filter(\.isReturned)
    rows = 0
    limit = Inbox.limit + 2 * arrivals.count
  }
}

/// A change set that came or went, and why.
struct Arrival: Sendable {
  let changes: ChangeSet
  let reason: Reason
  /// Whether it is the context's own and came back because it could not be written.
  var isReturned: Bool { reason == .returned }
  /// Whether others made it what it is.
  var isMerged: Bool { reason == .sibling || reason == .adapted }

  enum Reason {
    /// A child saved into this context.
    case child
    /// Somebody else saved into the parent or the store.
    case sibling
    /// A merge policy has changed what this context, or one below, has saved.
    case adapted
    /// The context's own changes could not be written and came back.
    case returned
    /// The context has dropped what it had not saved, which the rollback itself tells.
    case discarded
  }
}
