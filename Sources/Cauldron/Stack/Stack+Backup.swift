import CauldronSQLite
public import Foundation

extension Stack {
  /// Where a migration that loses values leaves a copy of the store as it was: beside it, as
  /// `people.backup.sqlite`. There is one for each store; the next one takes its place.
  public static func backupURL(storeURL: URL) -> URL { StoreBackup(of: storeURL).url }

  /// Has a store be again what it was before values were lost.
  ///
  /// ```swift
  /// try Stack.restoreBackup(storeURL: url)
  /// ```
  /// Runs in one transaction: whatever happens, the store has its present content or the copy's, and the
  /// copy stays. What was saved since it was made is gone then. Other processes that have the store open
  /// see one change. A file that is no database any more is moved aside, as `people.set-aside.sqlite`.
  /// - Throws: ``CauldronError``: `store.noBackup`; `store.alreadyOpen` where a stack of this process has
  ///   it open; `store.foreignDatabase` where the copy is one of another store; `store.corrupt` where the copy is damaged; `store.…` where the file cannot be written.
  /// - Complexity: Proportional to the size of the copy.
  public static func restoreBackup(storeURL: URL) throws {
    try StoreBackup(of: storeURL).restore()
  }
}
