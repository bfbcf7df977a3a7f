package import CauldronModel
package import CauldronStore
package import Foundation

/// How a SQLite store is opened.
package struct SQLiteStoreOptions: Sendable {
  /// When a commit is on the disk.
  package enum Synchronous: Sendable {
    /// A commit survives a power loss: one fsync for each.
    case full
    /// A power loss may take the last commits back; the file stays consistent.
    case normal
  }

  package var synchronous: Synchronous
  /// The seconds to wait for a lock that another connection holds.
  package var busyTimeout: Double
  /// The idle readers that are kept open; more may be in use at one time.
  package var readerLimit: Int
  /// Whether the file is only read; nothing is created then, and saving throws `store.readOnly`.
  package var readOnly: Bool
  /// Whether a missing parent directory is made.
  package var createDirectory: Bool
  /// The most pages the file may have, for tests of a full disk.
  package var maxPageCount: Int?
  /// What may be lost when the model has changed; nil where such a store is refused.
  package var migration: MigrationPermission?
  /// Is told what was migrated.
  package var didMigrate: (@Sendable (MigrationReport) -> Void)?
  /// Is told how far a migration is, on the thread that opens.
  package var onProgress: (@Sendable (MigrationProgress) -> Void)?
  /// Whether a migration shall end; asked again and again.
  package var isCancelled: (@Sendable () -> Bool)?
  /// Whether commits of others are looked for each second although the system would tell; for tests.
  package var polls = false
  /// The bytes that are free on the disk of the store, in place of what the system says; for tests.
  package var freeSpace: Int?
  /// What readers take of a statement, where it is less than SQLite's own limits; for tests.
  package var statementRoom: StatementRoom?
  /// The store that is copied to where there is none yet.
  package var seed: URL?
  /// Whether a store that cannot be used is moved aside, and a new one made.
  package var recreates = false
  /// Is told where a store was moved, and why.
  package var didSetAside: (@Sendable (URL, CauldronError) -> Void)?
  /// Is told at each opening what the file has beside the tables of the model, each in words.
  package var didFindForeign: (@Sendable ([String]) -> Void)?
  /// Is told of each statement that has run; nil, the default, costs nothing.
  package var trace: (@Sendable (TracedStatement) -> Void)?
  /// Whether `trace` wants to be told now; asked before each use of a connection. Nil means always.
  package var isTracing: (@Sendable () -> Bool)?
  /// Whether the texts that `trace` is told hold the values, too.
  package var tracesValues = false

  package init(
    synchronous: Synchronous = .full, busyTimeout: Double = 5, readerLimit: Int = 4,
    readOnly: Bool = false, createDirectory: Bool = false, maxPageCount: Int? = nil
  ) {
    self.synchronous = synchronous
    self.busyTimeout = busyTimeout
    self.readerLimit = readerLimit
    self.readOnly = readOnly
    self.createDirectory = createDirectory
    self.maxPageCount = maxPageCount
  }

  /// How connections to a file that exists are opened.
  var mode: Connection.Mode { readOnly ? .readOnly : .readWrite }
}

extension RowConnection {
  /// Prepares for reading; the file must be a store in WAL mode.
  func configureReader(_ options: SQLiteStoreOptions) throws {
    startTracing(options)
    try configureDefences()
    try execute("PRAGMA query_only = ON")
    try execute("PRAGMA cache_size = -16384")
    try registerPacking()
    try registerQueryFunctions()
    if let room = options.statementRoom { narrow(room) }
  }

  /// Prepares for writing: WAL, and an fsync for each commit unless `synchronous` is `.normal`
  /// (https://www.sqlite.org/pragma.html#pragma_synchronous).
  func configureWriter(_ options: SQLiteStoreOptions) throws {
    startTracing(options)
    try configureDefences()
    if !isReadOnly { try requireLog() }
    try execute("PRAGMA synchronous = \(options.synchronous == .full ? "FULL" : "NORMAL")")
    try execute("PRAGMA cache_size = -32768")
    try setMaxPageCount(options.maxPageCount)
    try registerPacking()
    try registerTriggerFunctions()
  }

  /// Begins or ends to report statements, as the options want it now; none may be running.
  func followTracing(_ options: SQLiteStoreOptions) {
    guard options.trace != nil, (options.isTracing?() ?? true) != (tracer != nil) else { return }
    if tracer == nil { startTracing(options) } else { stopTracing() }
  }

  private func startTracing(_ options: SQLiteStoreOptions) {
    guard let report = options.trace, options.isTracing?() ?? true else { return }
    let packer = packer
    startTracing(
      showsValues: options.tracesValues, gathered: { packer.pointee.gatheredCount($0) }, report)
  }
}
