internal import CSQLite
import CauldronModel

extension Writer {
  /// What a commit that failed has left in the file.
  private enum Outcome {
    case saved
    case notSaved
    case unknown
  }

  /// Commits; after an error it finds out from the rows themselves what became of them.
  func commit(_ plan: SavePlan, _ failures: [CauldronError?]) throws {
    do {
      try run("COMMIT")
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      // Only the lock was missing: the transaction was intact and is undone.
      if failure.primary == SQLITE_BUSY { throw failure }
      let outcome = outcome(of: plan, failures)
      switch outcome {
      case .saved: return
      case .notSaved: throw failure
      case .unknown:
        throw CauldronError(
          .storeCommitOutcomeUnknown,
          "Save to \"\(facts.file.name)\" failed while committing (SQLite \(failure.code));"
            + " after reopening: still unknown."
        ).with {
          $0.sqliteCode = failure.code
          $0.path = facts.file.path
        }
      }
    }
  }

  /// Reads one changed row back through a connection that knows nothing of the transaction.
  private func outcome(of plan: SavePlan, _ failures: [CauldronError?]) -> Outcome {
    do {
      try reconnect()
      for (layer, failure) in zip(plan.layers, failures) where failure == nil {
        for changes in layer.changeSet.entities {
          if let row = changes.inserted.first ?? changes.updated.first?.row {
            return try version(row.key, changes.entity) == row.version ? .saved : .notSaved
          }
          if let deletion = changes.deleted.first {
            return try version(deletion.key, changes.entity) == nil ? .saved : .notSaved
          }
        }
      }
      return .notSaved
    } catch {
      return .unknown
    }
  }
}
