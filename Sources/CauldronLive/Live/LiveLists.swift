import CauldronLedger
import CauldronModel
import Dispatch
import Foundation

/// The lists of a coordinator, and what is gathered without rows. Whatever changes, it finds those that it
/// can matter to, and has these step.
final class LiveLists: EndingAttachment {
  private struct Entry: Sendable {
    weak var list: (any LiveResult)?
  }

  private struct State: Sendable {
    /// By the context that they are in.
    var lists: [ObjectIdentifier: [Entry]] = [:]
    var isQueued = false

    /// Forgets those that nobody holds.
    /// - Returns: The others, which must not be let go with the lock held.
    mutating func clean() -> [any LiveResult] {
      var all: [any LiveResult] = []
      for (node, entries) in lists {
        let known = entries.map(\.list)
        all += known.compactMap { $0 }
        let kept = zip(entries, known).filter { $1 != nil }.map(\.0)
        lists[node] = kept.isEmpty ? nil : kept
      }
      return all
    }
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "cauldron.lists", qos: .userInitiated)

  /// The lists on a coordinator, which those of a frozen view of its store are among.
  static func on(_ coordinator: PersistentStoreCoordinator) -> LiveLists {
    coordinator.attachments.value { LiveLists() }
  }

  /// Has a list be told of what changes in the contexts on a coordinator.
  static func add(_ list: some LiveResult, on coordinator: PersistentStoreCoordinator) {
    let lists = on(coordinator)
    lists.add(list)
    let ledger = coordinator.ledger
    ledger.withLock { ledger.journal.wake = { [weak lists] in lists?.wake() } }
    coordinator.eventHook.set { [weak lists] in lists?.eventEnded($0) }
  }

  func add(_ list: some LiveResult) {
    let others = state.withLock { state in
      defer { state.lists[ObjectIdentifier(list.node), default: []].append(Entry(list: list)) }
      return state.clean()
    }
    withExtendedLifetime(others) {}
  }

  private var all: [any LiveResult] {
    state.withLock { $0.lists.values.joined().compactMap(\.list) }
  }

  /// Something has changed.
  func wake() {
    let isFirst = state.withLock { state in
      defer { state.isQueued = true }
      return !state.isQueued
    }
    guard isFirst else { return }
    queue.async { [self] in
      state.withLock { $0.isQueued = false }
      for lists in byLedger(all) {
        for list in concerned(lists) where list.isBehind { list.stepSoon() }
        if let ledger = lists.last?.ledger { ledger.withLock { ledger.journal.trim() } }
      }
    }
  }

  /// An event of a context has ended, on the thread of its owner.
  func eventEnded(_ node: LedgerNode) {
    let entries = state.withLock { state in
      state.lists[ObjectIdentifier(node)]?.map(\.list) ?? []
    }
    let all = entries.compactMap { $0 }
    if all.isEmpty { return }
    let lists = concerned(all) { $0.isUntold }
    if lists.isEmpty { return }
    for list in lists { list.stepHere() }
  }

  /// The store is about to be closed.
  func end() { for list in all { list.end() } }
}

extension LiveLists {
  /// Lists by their ledgers: a frozen view has one of its own, and each its own journal.
  private func byLedger(_ lists: [any LiveResult]) -> [[any LiveResult]] {
    guard let first = lists.first?.ledger else { return [] }
    if lists.allSatisfy({ $0.ledger === first }) { return [lists] }
    return Array(Dictionary(grouping: lists) { ObjectIdentifier($0.ledger) }.values)
  }

  /// The lists that read something changed, and the wanted ones; the rest goes on where nothing has
  /// changed for it. All lists are of one ledger.
  private func concerned(
    _ lists: [any LiveResult], or isWanted: (any LiveResult) -> Bool = { _ in false }
  ) -> [any LiveResult] {
    guard let ledger = lists.first?.ledger else { return [] }
    let changed = ledger.withLock {
      lists.map { list in
        // Under the lock, because a list moves its place under it after the query was replaced. A list
        // without a first fetch has no place.
        guard let (reader, watch) = list.reading else { return false }
        // It is being fetched, maybe as of before the change.
        guard let watch else { return true }
        return ledger.journal.concerns(reader, canMatter: watch.isConcerned)
      }
    }
    return zip(lists, changed).filter { $1 || isWanted($0) }.map(\.0)
  }
}

/// What is kept right as its store and its context change.
protocol LiveResult: AnyObject, Sendable {
  /// The context that it is seen from.
  var node: LedgerNode { get }
  var ledger: ChangeLedger { get }
  /// Its number as a reader of the journal, and what can matter to it, nil where that is not known yet; nil
  /// while it does not read.
  var reading: (reader: Int, watch: LiveWatch?)? { get }
  /// Whether something has changed that may matter.
  var isBehind: Bool { get }
  /// Whether a consumer may have to be told of it at the end of an event, though nothing has
  /// changed since.
  var isUntold: Bool { get }
  /// Called when it is behind.
  func stepSoon()
  /// An event of its context has ended, on the thread of its owner.
  func stepHere()
  /// The store is about to be closed.
  func end()
}
