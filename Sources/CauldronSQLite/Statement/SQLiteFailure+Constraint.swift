internal import CSQLite

extension SQLiteFailure {
  // Swift does not import these macros (https://www.sqlite.org/rescode.html#constraint_unique).
  private static let unique = SQLITE_CONSTRAINT | 8 << 8
  private static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
  private static let rowID = SQLITE_CONSTRAINT | 10 << 8

  /// Whether a unique index has the values already.
  var isUniqueViolation: Bool { code == Self.unique }

  /// Whether a row has the key already.
  var isKeyTaken: Bool { code == Self.primaryKey || code == Self.rowID }
}
