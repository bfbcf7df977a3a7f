import CauldronModel
import CauldronStore
import TestSupport

/// A store that is locked by somebody else at the saves that a test chooses.
final class FailingStore: ForwardingStore {
  private struct State {
    var saves = 0
    var failing: Set<Int> = []
    var isUnknown = false
    var isLost = false
    /// Whether the store cannot be read now.
    var isUnreadable = false
    var before: (@Sendable () throws -> Void)?
  }

  let base: any PersistentStore
  private let state = Locked(State())

  init(_ base: any PersistentStore) { self.base = base }

  /// Has some of the next saves fail, counted from 1.
  func fail(_ saves: Int...) {
    state.withLock { $0 = State(failing: Set(saves)) }
  }

  /// Has the next save be written, and say that nobody knows.
  func forgetOutcome() {
    state.withLock { $0 = State(failing: [1], isUnknown: true) }
  }

  /// Has the next save not be written, and say that nobody knows.
  func loseOutcome() {
    state.withLock { $0 = State(failing: [1], isUnknown: true, isLost: true) }
  }

  /// Has the store be unreadable, or readable again.
  func setUnreadable(_ isUnreadable: Bool) {
    state.withLock { $0.isUnreadable = isUnreadable }
  }

  func reader() throws -> any StoreReader {
    if state.withLock({ $0.isUnreadable }) { throw CauldronError(.storeBusy, "Locked by a test.") }
    return try base.reader()
  }

  /// Has something happen once, between the check of the next save and its writing.
  func beforeNextSave(_ body: @escaping @Sendable () throws -> Void) {
    state.withLock { $0.before = body }
  }

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    let before = state.withLock { state in
      defer { state.before = nil }
      return state.before
    }
    try before?()
    let (fails, isUnknown, isLost) = state.withLock { state in
      state.saves += 1
      return (state.failing.contains(state.saves), state.isUnknown, state.isLost)
    }
    guard fails else {
      return try base.save(plan, willCommit: willCommit, didCommit: didCommit)
    }
    guard isUnknown else { throw CauldronError(.storeBusy, "Locked by a test.") }
    if isLost {
      willCommit(Array(plan.layers.indices))
      didCommit(nil)
    } else {
      _ = try base.save(plan, willCommit: willCommit) { _ in didCommit(nil) }
    }
    throw CauldronError(.storeCommitOutcomeUnknown, "Nobody knows.")
  }
}
