internal import CSQLite
import CauldronModel

/// Commits a transaction, and finds out what a commit that failed has left in the file.
struct CommitJudge {
  let writer: Writer

  /// What a commit that failed has left in the file.
  private enum Outcome {
    case saved
    case notSaved
    case unknown
  }

  /// Commits; after an error it finds out what became of the transaction.
  /// - Parameter isSaved: Whether the rows are as the transaction has left them; asked only then.
  func commit(_ isSaved: () throws -> Bool) throws {
    do {
      try writer.facts.foreign.committing(writer.connection) { try writer.run("COMMIT") }
      writer.lacksCopy = false
    } catch let failure as SQLiteFailure {
      writer.connection.rollbackQuietly()
      // Only the lock was missing: the transaction was intact and is undone.
      if failure.primary == SQLITE_BUSY { throw failure }
      let outcome = outcome(isSaved)
      switch outcome {
      case .saved: return
      case .notSaved: throw failure
      case .unknown:
        throw CauldronError(
          .storeCommitOutcomeUnknown,
          "Save to \"\(writer.facts.file.path)\" failed while committing (SQLite \(failure.code));"
            + " after reopening: still unknown."
        ).with {
          $0.sqliteCode = failure.code
          $0.path = writer.facts.file.path
        }
      }
    }
  }

  /// Asks the file through a connection that knows nothing of the transaction.
  private func outcome(_ isSaved: () throws -> Bool) -> Outcome {
    do {
      try writer.reconnect()
      try writer.connection.execute("BEGIN IMMEDIATE")
      let isSaved = try isSaved()
      if !isSaved { return try takeBack() }
      try writer.facts.foreign.committing(writer.connection) {
        try writer.connection.execute("COMMIT")
      }
      return .saved
    } catch {
      writer.connection.rollbackQuietly()
      return .unknown
    }
  }

  /// Makes sure that a failed commit in the log is never taken for saved: writes a page over it or,
  /// where the disk has no room even for this, cuts it off.
  private func takeBack() throws -> Outcome {
    do {
      try overwriteLog()
      try writer.facts.foreign.committing(writer.connection) {
        try writer.connection.execute("COMMIT")
      }
    } catch let failure as SQLiteFailure where failure.isOfFullDisk {
      writer.connection.rollbackQuietly()
      try writer.connection.execute("BEGIN IMMEDIATE")
      try writer.space.cut()
      writer.connection.rollbackQuietly()
    }
    return .notSaved
  }

  /// Puts a page without changes where the log goes on.
  ///
  /// A commit that could not be synchronised lies there as a whole. It does not count, but a
  /// process that finds the log after this one was killed would take it for valid.
  private func overwriteLog() throws {
    let version = try writer.connection.integer("PRAGMA user_version") ?? 0
    // SQLite writes the page whether the number is another one or not.
    try writer.connection.execute("PRAGMA user_version = \(version)")
  }
}
