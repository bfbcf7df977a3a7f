import CauldronModel
import Dispatch
import Foundation

/// The lists of a coordinator, and what is gathered without rows. Whatever changes, it finds those that it can matter to, and has these step.
final class LiveLists: EndingAttachment {
  private struct Entry: Sendable {
    weak var list: (any LiveResult)?
  }

  private struct State: Sendable {
    var lists: [Entry] = []
    var isQueued = false
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "cauldron.lists", qos: .userInitiated)

  func add(_ list: some LiveResult) {
    state.withLock { state in
      state.lists.removeAll { $0.list == nil }
      state.lists.append(Entry(list: list))
    }
  }

  private var all: [any LiveResult] { state.withLock { $0.lists.compactMap(\.list) } }

  /// Something has changed.
  func wake() {
    let isFirst = state.withLock { state in
      defer { state.isQueued = true }
      return !state.isQueued
    }
    guard isFirst else { return }
    queue.async { [self] in
      state.withLock { $0.isQueued = false }
      for list in all where list.isBehind { list.stepSoon() }
    }
  }

  /// An event of a context has ended, on the thread of its owner.
  func eventEnded(_ node: LedgerNode) {
    for list in all where list.node === node { list.stepHere() }
  }

  /// The store is about to be closed.
  func end() { for list in all { list.end() } }
}

extension LiveList {
  /// Whether something has changed that may matter; the list's reader goes on where nothing has.
  var isBehind: Bool {
    guard let reader = state.withLock({ $0.reader }) else { return false }
    // A step that is under way reads the journal itself, but maybe not far enough.
    guard stepping.try() else { return true }
    defer { stepping.unlock() }
    guard let content, !content.isDoubtful else { return true }
    let path = path(content.plan)
    return ledger.withLock {
      let end = ledger.journal.end
      guard let entries = ledger.journal.entries(reader, upTo: end) else { return true }
      if !LiveNews(entries, content.plan.watch, node, path).isEmpty { return true }
      ledger.journal.advance(reader, to: end)
      return false
    }
  }
}

extension PersistentStoreCoordinator {
  /// The lists on the store.
  var lists: LiveLists {
    attachments.value {
      let lists = LiveLists()
      ledger.journal.wake = { [weak lists] in lists?.wake() }
      eventHook.set { [weak lists] in lists?.eventEnded($0) }
      return lists
    }
  }
}
