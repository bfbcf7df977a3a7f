import CauldronModel
import Foundation

/// Holds the values of all pending changes of all contexts of a coordinator, under one lock.
///
/// The lock is held to move references and to compare a push with newer layers; never across user
/// code, validation, SQL or a commit. So no context ever waits for another context's thread.
///
/// `@unchecked Sendable` because the state, and that of the nodes, is only touched with `lock` held.
package final class ChangeLedger: @unchecked Sendable {
  private let lock = NSLock()
  private var commits = CommitMark()
  /// Whether changes that others may have built on were ever taken back, refused or adapted; from
  /// then on a version number alone does not tell that a row is the one that was read.
  private var hasDiverged = false
  private let numbers = Locked<(changeSet: UInt64, save: UInt64)>((0, 0))

  package init() {}

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// A new change set's number; may be called with the lock held.
  func changeSetID() -> UInt64 {
    numbers.withLock {
      $0.changeSet += 1
      return $0.changeSet
    }
  }

  func saveID() -> UInt64 {
    numbers.withLock {
      $0.save += 1
      return $0.save
    }
  }

  /// The layers that a context sees, and the moment they were taken at.
  func chain(to node: LedgerNode) -> LayerChain {
    withLock { uncheckedChain(to: node) }
  }

  /// Called with the lock held.
  func uncheckedChain(to node: LedgerNode?) -> LayerChain {
    var layers: [Layer] = []
    for step in node?.path ?? [] { layers += step.layers }
    return LayerChain(
      layers: layers, overlapsCommit: commits.begun != commits.ended, mark: commits)
  }

  /// Whether no commit has begun since a chain was taken, so that what was read meanwhile belongs
  /// to the same instant.
  func isCurrent(_ chain: LayerChain) -> Bool {
    withLock { chain.mark == commits && !chain.overlapsCommit }
  }

  /// Records that changes were taken back, refused or adapted. Called with the lock held.
  func uncheckedDiverge() { hasDiverged = true }

  /// Whether a version number alone tells that a row is the one that was read.
  var versionsAreTrusted: Bool { withLock { !hasDiverged } }

  func commitBegins() { withLock { commits.begun += 1 } }

  /// The number of the last commit.
  var mark: CommitMark { withLock { commits } }

  /// Counts, because contexts side by side may have begun another commit before this one ends.
  ///
  /// Called with the lock held.
  func uncheckedCommitEnded() { commits.ended += 1 }
}
