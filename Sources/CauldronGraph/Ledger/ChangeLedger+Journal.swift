import CauldronModel

extension ChangeLedger {
  /// A commit has written something: those who read the journal see it when the commit has ended.
  func noteCommitted(_ content: ChangeJournal.Content) {
    withLock {
      if commits.begun == commits.ended {
        journal.append(content, nil)
      } else {
        journal.stage(content)
      }
    }
  }

  /// A context has forgotten its objects.
  func noteReset(_ node: LedgerNode) { withLock { journal.append(.reset, node) } }
}
