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
    try commit { try self.isSaved(plan, failures) }
  }

  /// Commits; after an error it finds out what became of the transaction.
  /// - Parameter isSaved: Whether the rows are as the transaction has left them; asked only then.
  func commit(_ isSaved: () throws -> Bool) throws {
    do {
      try facts.foreign.committing(connection) { try run("COMMIT") }
      lacksCopy = false
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      // Only the lock was missing: the transaction was intact and is undone.
      if failure.primary == SQLITE_BUSY { throw failure }
      let outcome = outcome(isSaved)
      switch outcome {
      case .saved: return
      case .notSaved: throw failure
      case .unknown:
        throw CauldronError(
          .storeCommitOutcomeUnknown,
          "Save to \"\(facts.file.path)\" failed while committing (SQLite \(failure.code));"
            + " after reopening: still unknown."
        ).with {
          $0.sqliteCode = failure.code
          $0.path = facts.file.path
        }
      }
    }
  }

  /// Asks the file through a connection that knows nothing of the transaction.
  private func outcome(_ isSaved: () throws -> Bool) -> Outcome {
    do {
      try reconnect()
      try connection.execute("BEGIN IMMEDIATE")
      let isSaved = try isSaved()
      if !isSaved { return try takeBack() }
      try facts.foreign.committing(connection) { try connection.execute("COMMIT") }
      return .saved
    } catch {
      connection.rollbackQuietly()
      return .unknown
    }
  }

  /// Sees to it that nobody ever takes what was not saved for saved: by a page that is written where it
  /// lies or, where the disk has no room even for that, by cutting it off.
  private func takeBack() throws -> Outcome {
    do {
      try overwriteLog()
      try facts.foreign.committing(connection) { try connection.execute("COMMIT") }
    } catch let failure as SQLiteFailure where failure.primary == SQLITE_FULL {
      connection.rollbackQuietly()
      try connection.execute("BEGIN IMMEDIATE")
      try space.cut()
      connection.rollbackQuietly()
    }
    return .notSaved
  }

  /// Reads one changed row back.
  private func isSaved(_ plan: SavePlan, _ failures: [CauldronError?]) throws -> Bool {
    for (layer, failure) in zip(plan.layers, failures) where failure == nil {
      for changes in layer.changeSet.entities {
        if let row = changes.inserted.first ?? changes.updated.first?.row {
          return try version(row.key, changes.entity) == row.version
        }
        if let deletion = changes.deleted.first {
          return try version(deletion.key, changes.entity) == nil
        }
      }
    }
    return false
  }

  /// Puts a page without changes where the log goes on.
  ///
  /// A commit that could not be synchronised lies there as a whole. It does not count, but whoever
  /// finds the log after this process was killed would take it for one that does.
  private func overwriteLog() throws {
    let version = try connection.integer("PRAGMA user_version") ?? 0
    // SQLite writes the page whether the number is another one or not.
    try connection.execute("PRAGMA user_version = \(version)")
  }
}
