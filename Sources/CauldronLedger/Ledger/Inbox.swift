package import CauldronModel
package import CauldronStore

/// Changes from elsewhere that a context's objects have not seen. Any thread may add some at any
/// time, under the inbox's own lock; nothing else is asked while it is held.
///
/// What a save moves is added with the ledger's lock held, in the moment in which it moves. So whatever
/// a list or a fetch sees of it, the inbox has, and the next event of the context shows it.
package final class Inbox: Sendable {
  fileprivate struct State {
    /// Change sets that arrived or left, in order.
    var arrivals: [Arrival] = []
    /// How many of them came back.
    var returned = 0
    /// How often they were taken or forgotten.
    var generation = 0
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
  package static let limit = 256
  /// How many of their rows are, be they of fewer arrivals: some tens of megabytes.
  static let rowLimit = 1 << 18

  private let state = Locked(State())
  /// Whether a child's save has brought something back, for a look without the lock.
  private let restored = SharedWord()
  private let rowLimit: Int

  init(rowLimit: Int = Inbox.rowLimit) { self.rowLimit = rowLimit }

  /// Remembers an arrival, unless the context has ended.
  package func append(_ arrival: Arrival) { append([arrival]) }

  /// Remembers arrivals, unless the context has ended: references to them, and no more, because the
  /// ledger's lock is held. Whoever has brought them calls ``shorten()`` afterwards.
  /// - Complexity: O(arrivals).
  package func append(_ arrivals: [Arrival]) {
    let isRestored = arrivals.contains { $0.isOfChild && $0.changes.hasRestored }
    state.withLock { state in
      guard !state.isClosed else { return }
      state.arrivals += arrivals
      if isRestored { (state.hasRestored, _) = (true, restored.store(1)) }
      for arrival in arrivals {
        if arrival.isReturned { state.returned += 1 } else { state.rows += arrival.changes.count }
      }
    }
  }

  /// Keeps only the keys of too many arrivals: a context whose queue stands still does not gather change
  /// sets for ever. The newest one stays, and so does what came back, which has to be marked as unsaved.
  ///
  /// The keys are gathered without a lock, as others append meanwhile with the ledger's lock held.
  /// - Complexity: O(rows) where there are too many; else O(1).
  package func shorten() {
    let excess = state.withLock { $0.excess(over: rowLimit) }
    guard let (arrivals, before, generation) = excess else { return }
    let older = arrivals.dropLast()
    var behind = before
    for arrival in older where !arrival.isReturned { behind.add(arrival.changes) }
    let kept = older.filter(\.isReturned)
    state.withLock { state in
      guard state.generation == generation else { return }
      state.arrivals = kept + state.arrivals[older.count...]
      state.behind = behind
      state.rows = state.arrivals.reduce(0) { $0 + ($1.isReturned ? 0 : $1.changes.count) }
      state.generation += 1
    }
  }

  /// Remembers what a batch has changed, unless the context has ended.
  package func append(_ batch: BatchKeys) {
    state.withLock { state in
      if !state.isClosed {
        state.behind.add(batch)
        state.generation += 1
      }
    }
  }

  /// Remembers that anything may have changed, unless the context has ended.
  func appendEverything() {
    state.withLock { state in
      if !state.isClosed {
        state.behind.lookAtEverything()
        state.generation += 1
      }
    }
  }

  /// Empties it; the caller shows the objects all that was in it.
  package func take() -> (arrivals: [Arrival], behind: ArrivedKeys) {
    state.withLock { state in
      defer { state.clear() }
      return (state.arrivals, state.behind)
    }
  }

  /// Whether a child's save has brought something back since this was asked last.
  package func takeRestored() -> Bool {
    guard holdsRestored else { return false }
    return state.withLock { state in
      defer { (state.hasRestored, _) = (false, restored.store(0)) }
      return state.hasRestored
    }
  }

  /// Whether a child's save has brought something back that the context may have deleted.
  @inline(__always)
  package var holdsRestored: Bool { restored.value != 0 }

  /// How many rows it keeps of what did not come back.
  package var rowCount: Int { state.withLock { $0.rows } }

  /// Whether the objects have met everything.
  package var isEmpty: Bool { state.withLock { $0.arrivals.isEmpty && $0.behind.isEmpty } }

  /// Whether changes of the context's own came back.
  package var holdsReturned: Bool { state.withLock { $0.returned > 0 } }

  /// What came back is discarded with all else, and is not to be marked as unsaved.
  package func forgetReturns() {
    state.withLock { state in
      state.arrivals.removeAll(where: \.isReturned)
      state.returned = 0
      state.generation += 1
    }
  }

  /// Forgets everything and takes nothing more.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.clear()
      (state.hasRestored, _) = (false, restored.store(0))
    }
  }
}

extension Inbox.State {
  /// All that has arrived, where it is more than is kept.
  fileprivate func excess(over rowLimit: Int) -> (
    arrivals: [Arrival], behind: ArrivedKeys, generation: Int
  )? {
    let others = arrivals.count - returned
    guard others > 1, others >= Inbox.limit || rows > rowLimit else { return nil }
    return (arrivals, behind, generation)
  }

  fileprivate mutating func clear() {
    (arrivals, returned, rows, behind) = ([], 0, 0, ArrivedKeys())
    generation += 1
  }
}

/// A change set that came or went, and why.
package struct Arrival: Sendable {
  package let changes: ChangeSet
  package let reason: Reason
  /// Whether it is the context's own and came back because it could not be written.
  package var isReturned: Bool { reason == .returned }
  /// Whether a child's save brought it, or took it away.
  var isOfChild: Bool { reason == .child || reason == .withdrawn }
  /// Whether others made it what it is.
  package var isMerged: Bool { reason == .sibling || reason == .adapted }

  package init(changes: ChangeSet, reason: Reason) {
    self.changes = changes
    self.reason = reason
  }

  package enum Reason {
    /// A child saved into this context.
    case child
    /// What a child had saved into this context could not be written, and went back.
    case withdrawn
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

/// What too many arrivals have touched, as keys: a context whose queue stands still does not gather
/// their rows for ever.
package struct ArrivedKeys: Sendable {
  /// By number of the root entity.
  package private(set) var keys: [Int32: Set<Int64>] = [:]
  package private(set) var count = 0
  /// Whether so many rows were touched that every registered object has to be looked at.
  package private(set) var isEverything = false
  /// What batches have changed, of which nobody knows more than keys.
  package private(set) var batches: [BatchKeys] = []

  /// Beyond this many rows it is cheaper to look at all objects than to note keys.
  private static let limit = 1 << 16
  /// Beyond this many batches, too.
  private static let batchLimit = 64

  package var isEmpty: Bool { count == 0 && batches.isEmpty && !isEverything }

  package mutating func add(_ batch: BatchKeys) {
    guard !isEverything else { return }
    batches.append(batch)
    if batches.count > Self.batchLimit { lookAtEverything() }
  }

  package mutating func add(_ changes: ChangeSet) {
    for set in changes.entities { add(set) }
  }

  private mutating func add(_ set: EntityChanges) {
    guard !isEverything else { return }
    guard count + set.count <= Self.limit else { return lookAtEverything() }
    var known = keys.removeValue(forKey: set.entity.rootNumber) ?? []
    let before = known.count
    for row in set.inserted {
      // The object may have got another key by the time.
      if row.key < 0 { return lookAtEverything() }
      known.insert(row.key)
    }
    for update in set.updated {
      if update.row.key < 0 { return lookAtEverything() }
      known.insert(update.row.key)
    }
    for deletion in set.deleted { known.insert(deletion.key) }
    count += known.count - before
    keys[set.entity.rootNumber] = known
  }

  mutating func lookAtEverything() {
    keys = [:]
    batches = []
    isEverything = true
  }
}

/// The keys of rows that a batch has changed, shared by all contexts that are told.
package final class BatchKeys: Sendable {
  /// In ascending order, by the number of the root entity.
  package let keys: [Int32: [Int64]]
  package let count: Int

  package init(_ lists: [(entity: EntityLayout, keys: [Int64])]) {
    var keys: [Int32: [Int64]] = [:]
    for (entity, list) in lists { keys[entity.rootNumber, default: []] += list }
    self.keys = keys.mapValues { $0.sorted() }
    count = lists.reduce(0) { $0 + $1.keys.count }
  }

  /// - Complexity: O(log keys).
  package func contains(_ key: Int64, root: Int32) -> Bool {
    guard let list = keys[root] else { return false }
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < list.count && list[low] == key
  }
}
