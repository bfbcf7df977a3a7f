import Foundation

// A commit's life, as readers have to know it. The store makes at most one at a time.
extension ChangeLedger {
  /// A commit of these layers becomes visible to readers from now on, at any moment.
  ///
  /// Waits for a reader that has missed two commits in the middle of its pin.
  func commitBegins(_ layers: [Layer]) {
    beginning.withLock {
      withLock {
        commits.begun += 1
        flying = layers
      }
    }
  }

  /// Every reader sees the commit, and the row cache takes it over from now on: until the commit
  /// ends, what is cached belongs to no one moment.
  func commitIsRecorded() { withLock { commits.recorded = commits.begun } }

  /// The commit has ended; its layers, if it took place, are out of the ledger.
  ///
  /// Called with the lock held.
  func uncheckedCommitEnds() {
    commits.recorded = commits.begun
    commits.ended = commits.begun
    flying = []
    journal.commitEnds()
  }

  /// Somebody else has written to the store, so that what was read until now may be old.
  func othersHaveWritten() {
    withLock {
      commits.foreign += 1
      others.add()
      journal.append(.everything, nil)
    }
  }

  /// Runs a reader's pin while no commit can begin.
  func holdingCommits<R>(_ body: () throws -> R) rethrows -> R {
    try beginning.withLock(body)
  }

  /// What a context sees, and the layers that a commit is bringing to the store meanwhile.
  func cut(of node: LedgerNode?, includesOwn: Bool = true) -> (chain: LayerChain, flying: [Layer]) {
    withLock { (uncheckedView(of: node, includesOwn: includesOwn), flying) }
  }

  /// Whether the row cache, asked since a chain was taken, belongs to the chain: no commit has
  /// moved on, and none was being recorded.
  func cacheBelongs(to chain: LayerChain) -> Bool {
    withLock { chain.mark == commits && commits.recorded == commits.ended }
  }
}

extension CommitMark {
  /// Whether a commit was in flight.
  var isInFlight: Bool { begun != ended }

  /// Whether a view of the store that was fixed between this mark and a later one misses no commit
  /// but the one that is in flight at the later one.
  func leads(to later: CommitMark) -> Bool {
    if begun == later.begun { return ended == later.ended }
    return !isInFlight && later.isInFlight && later.begun == begun + 1
  }
}
