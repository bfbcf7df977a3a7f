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
  /// How many commits had begun and ended; only the methods in `ChangeLedger+Commits` move it.
  @exclusivity(unchecked) final var commits = CommitMark()
  /// The layers that the commit in flight writes; none where there is no commit.
  final var flying: [Layer] = []
  /// Whether others write to the store, too.
  let others = OtherWriters()
  /// Held while a commit begins, and by a reader before whose pin no other commit may begin.
  let beginning = NSLock()
  /// What others may have built on, and was never written as it was.
  private(set) final var uncheckedDoubts = MakerDoubts()
  /// One for all ledgers: rows tell by it who made them, and a store may be shared by several.
  private static let changeSets = Locked<UInt64>(0)
  private let saves = Locked<UInt64>(0)

  /// The keys of objects that could not be given one of the store's.
  let provisional: ProvisionalKeys
  /// How many objects may be inserted by several contexts, as they were found by their unique values.
  let sharedKeys = SharedWord()
  /// What has changed, for those who keep results right.
  let journal = ChangeJournal()
  /// The places of the contexts that exist.
  package let nodes = NodeList()

  /// - Parameter model: What the entities of provisional keys are looked up in.
  init(_ model: ManagedObjectModel? = nil) {
    provisional = ProvisionalKeys(roots: [0] + (model?.layouts.map(\.rootNumber) ?? []))
  }

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    lock.lock()
    defer {
      let wake = journal.takeWake()
      lock.unlock()
      wake?()
    }
    return try body()
  }

  /// A new change set's number; may be called with the lock held.
  func changeSetID() -> UInt64 {
    Self.changeSets.withLock { last in
      last += 1
      return last
    }
  }

  func saveID() -> UInt64 {
    saves.withLock { last in
      last += 1
      return last
    }
  }

  /// Whether layers come between a context and the store; cheaper than to take them. And the
  /// number of the last commit; nil while one is being written.
  func state(to node: LedgerNode) -> (hasLayers: Bool, mark: CommitMark?) {
    withLock {
      node.pending.settle()
      return (node.hasLayersToRoot, uncheckedSettledMark)
    }
  }

  /// All layers from the store up to a context, whatever it wants to see. Called with the lock held.
  func uncheckedChain(to node: LedgerNode?) -> LayerChain {
    var chain = LayerChain()
    chain.overlapsCommit = commits.begun != commits.ended
    chain.mark = commits
    chain.journalEnd = journal.end
    chain.exchangeCount = provisional.exchangeCount
    chain.sharesKeys = sharedKeys.value > 0
    guard let node else { return chain }
    for step in node.ancestors { chain.add(step) }
    chain.add(node)
    return chain
  }

  /// Merges the indexes of a context's layers, outside the lock, so that look-ups stay short.
  func compact(_ node: LedgerNode) {
    let (runs, single) = withLock { (node.runs, node.ownTail(node.runs)) }
    let better = LayerRun.compacted(runs, single: single)
    if better.count < runs.count { withLock { node.install(better, for: runs) } }
  }

  /// Whether no commit has begun since a chain was taken, so that what was read meanwhile belongs
  /// to the same instant.
  func isCurrent(_ chain: LayerChain) -> Bool {
    withLock { chain.mark == commits && !chain.overlapsCommit }
  }

  /// The number of the last commit; nil while one is being written.
  var settledMark: CommitMark? { withLock { uncheckedSettledMark } }

  /// Called with the lock held.
  var uncheckedSettledMark: CommitMark? { commits.begun == commits.ended ? commits : nil }

  /// The change sets whose rows may not be what was committed.
  var doubts: MakerDoubts { withLock { uncheckedDoubts } }

  /// Records that changes were discarded, refused, given back, or made anew: what others have built
  /// on them must be compared by its values. Called with the lock held.
  func uncheckedDoubt(_ layers: some Sequence<Layer>) {
    for layer in layers { uncheckedDoubts.insert(layer.changes.makers) }
  }

  /// The number of the last commit.
  var mark: CommitMark { withLock { commits } }
}
